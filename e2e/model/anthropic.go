package model

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
)

// anthropic is the Messages API.
type anthropic struct{}

type object = map[string]any

// block is one part of a message. Its content is a text or a list of blocks.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	ToolName  string          `json:"tool_name"`
}

// deferred are berth's tools in the text in which Claude Code names those whose
// definitions it leaves out; a plugin's server has its name before.
var deferred = regexp.MustCompile(`mcp__(?:plugin_berth_)?berth__[A-Za-z0-9_-]+`)

func (anthropic) decode(body []byte) (request, error) {
	var in struct {
		Stream   bool
		Tools    []struct{ Name string }
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	if len(in.Messages) == 0 {
		return request{}, errNoMessages
	}
	out := request{stream: in.Stream, results: map[string]Result{}}
	for _, tool := range in.Tools {
		out.tools = append(out.tools, tool.Name)
	}
	for _, message := range in.Messages {
		for _, b := range blocks(message.Content) {
			switch b.Type {
			case "text":
				out.named = append(out.named, deferred.FindAllString(b.Text, -1)...)
			case "tool_result":
				out.results[b.ToolUseID] = Result{Text: plainText(b.Content), IsError: b.IsError}
			}
		}
	}
	return out, nil
}

// blocks reads a content, which is a text or a list of parts.
func blocks(content json.RawMessage) []block {
	var list []block
	if json.Unmarshal(content, &list) == nil {
		return list
	}
	var text string
	if json.Unmarshal(content, &text) != nil {
		return nil
	}
	return []block{{Type: "text", Text: text}}
}

// plainText joins the texts of a content.
func plainText(content json.RawMessage) string {
	var parts []string
	for _, b := range blocks(content) {
		parts = append(parts, b.Text+b.ToolName)
	}
	return strings.Join(parts, "\n")
}

func (anthropic) write(w http.ResponseWriter, stream bool, a answer) {
	content, stop := object{"type": "text", "text": a.text}, "end_turn"
	if a.tool != "" {
		content, stop = object{"type": "tool_use", "id": a.id, "name": a.tool, "input": a.args}, "tool_use"
	}
	message := object{"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": "claude-test", "content": []any{content},
		"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1}}
	if !stream {
		writeJSON(w, message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	e := startEvents(w)
	e.send("message_start", object{"type": "message_start", "message": message})
	delta := object{"type": "text_delta", "text": a.text}
	if a.tool == "" {
		content["text"] = ""
	} else {
		content["input"] = object{}
		delta = object{"type": "input_json_delta", "partial_json": string(a.args)}
	}
	e.send("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": content})
	e.send("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	e.send("content_block_stop", object{"type": "content_block_stop", "index": 0})
	e.send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 1}})
	e.send("message_stop", object{"type": "message_stop"})
}
