package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// gemini is Google's generateContent. Its calls have no ids: a result is known
// by its place.
type gemini struct{ stream bool }

// gemini answers the calls that end a model's name.
func (s *Server) gemini() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, verb, _ := strings.Cut(r.PathValue("call"), ":")
		switch verb {
		case "generateContent", "streamGenerateContent":
			s.conversation(gemini{verb == "streamGenerateContent"})(w, r)
		case "countTokens":
			fixed(`{"totalTokens":1000}`)(w, r)
		default:
			s.unknown(w, r)
		}
	}
}

func (g gemini) decode(body []byte) (request, error) {
	var in struct {
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
		Contents []struct {
			Parts []struct {
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	if len(in.Contents) == 0 {
		return request{}, errNoMessages
	}
	out := request{stream: g.stream, results: map[string]Result{}}
	for _, tool := range in.Tools {
		for _, f := range tool.FunctionDeclarations {
			out.tools = append(out.tools, f.Name)
		}
	}
	for _, content := range in.Contents {
		for _, part := range content.Parts {
			if part.FunctionResponse != nil {
				out.results[fmt.Sprintf("call_%d", len(out.results)+1)] = geminiResult(part.FunctionResponse.Response)
			}
		}
	}
	return out, nil
}

// geminiResult is an object with an output or an error.
func geminiResult(response json.RawMessage) Result {
	var said struct{ Output, Error json.RawMessage }
	if json.Unmarshal(response, &said) != nil || said.Output == nil && said.Error == nil {
		return Result{Text: string(response)}
	}
	if said.Error != nil {
		return Result{Text: plainText(said.Error), IsError: true}
	}
	return Result{Text: plainText(said.Output)}
}

func (g gemini) write(w http.ResponseWriter, stream bool, a answer) {
	part := object{"text": a.text}
	if a.tool != "" {
		part = object{"functionCall": object{"name": a.tool, "args": a.args}}
	}
	answer := object{"candidates": []any{object{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []any{part}}}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}, "modelVersion": "test"}
	if !stream {
		writeJSON(w, answer)
		return
	}
	startEvents(w).send("", answer)
}
