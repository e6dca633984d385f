package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) decode(body []byte) (request, error) {
	var in struct {
		Stream bool
		Tools  []struct {
			Type, Name string
			Tools      []struct{ Name string } // of a namespace
		}
		Input []struct {
			Type   string
			CallID string `json:"call_id"`
			Output json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	out := request{stream: in.Stream, results: map[string]Result{}}
	for _, tool := range in.Tools {
		for _, inner := range tool.Tools {
			out.tools = append(out.tools, tool.Name+"/"+inner.Name)
		}
		if tool.Name != "" && len(tool.Tools) == 0 {
			out.tools = append(out.tools, tool.Name)
		}
	}
	for _, item := range in.Input {
		if item.Type == "function_call_output" {
			out.results[item.CallID] = Result{Text: plainText(item.Output)}
		}
	}
	return out, nil
}

func (responses) write(w http.ResponseWriter, stream bool, a answer) {
	item := object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": a.text, "annotations": []any{}}}}
	if a.tool != "" {
		namespace, name, inside := strings.Cut(a.tool, "/")
		if !inside {
			name = a.tool
		}
		item = object{"type": "function_call", "id": "fc_" + a.id, "call_id": a.id, "name": name, "arguments": string(a.args), "status": "completed"}
		if inside {
			item["namespace"] = namespace
		}
	}
	response := object{"id": "resp_1", "object": "response", "status": "completed", "model": "test", "output": []any{item},
		"usage": object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2}}
	if !stream {
		writeJSON(w, response)
		return
	}
	e := startEvents(w)
	e.send("response.created", object{"type": "response.created", "response": object{"id": "resp_1"}})
	e.send("response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": item})
	e.send("response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	e.send("response.completed", object{"type": "response.completed", "response": response})
}

// chat is OpenAI's Chat Completions API.
type chat struct{}

func (chat) decode(body []byte) (request, error) {
	var in struct {
		Stream bool
		Tools  []struct {
			Function struct{ Name string }
		}
		Messages []struct {
			Role       string
			ToolCallID string `json:"tool_call_id"`
			Content    json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	if len(in.Messages) == 0 {
		return request{}, errNoMessages
	}
	out := request{stream: in.Stream, results: map[string]Result{}}
	for _, tool := range in.Tools {
		out.tools = append(out.tools, tool.Function.Name)
	}
	for _, message := range in.Messages {
		if message.Role == "tool" {
			out.results[message.ToolCallID] = Result{Text: plainText(message.Content)}
		}
	}
	return out, nil
}

func (chat) write(w http.ResponseWriter, stream bool, a answer) {
	message, finish := object{"role": "assistant", "content": a.text}, "stop"
	if a.tool != "" {
		message = object{"role": "assistant", "content": nil, "tool_calls": []any{
			object{"index": 0, "id": a.id, "type": "function", "function": object{"name": a.tool, "arguments": string(a.args)}}}}
		finish = "tool_calls"
	}
	usage := object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	if !stream {
		writeJSON(w, object{"id": "c1", "object": "chat.completion", "created": 1, "model": "test", "usage": usage,
			"choices": []any{object{"index": 0, "message": message, "finish_reason": finish}}})
		return
	}
	chunk := func(delta object, finish any) object {
		return object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "test",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	e := startEvents(w)
	e.send("", chunk(message, nil))
	end := chunk(object{}, finish)
	end["usage"] = usage
	e.send("", end)
	e.send("", "[DONE]")
}
