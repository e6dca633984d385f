package mcptool

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answerError is the action recorded for a client that could not ask its user.
const answerError = "error"

// EveryAnswer is sending middleware that passes on every answer to an
// elicitation, so that the instance decides what it means. The MCP library
// fails a call whose client answers with an error or accepts a form without
// filling it in. Clients without a user do both, and the agent would then have
// no result to continue with.
func EveryAnswer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		asked, ok := req.GetParams().(*mcp.ElicitParams)
		if !ok {
			return result, err
		}
		if err != nil {
			if ctx.Err() != nil {
				return result, err // the call itself was ended
			}
			return &mcp.ElicitResult{Action: answerError}, nil
		}
		if given, ok := result.(*mcp.ElicitResult); ok && given.Action == "accept" && !complete(asked, given) {
			return &mcp.ElicitResult{Action: given.Action}, nil
		}
		return result, err
	}
}

// complete reports whether every required field of the form has one of its
// permitted values.
func complete(asked *mcp.ElicitParams, given *mcp.ElicitResult) bool {
	form, ok := asked.RequestedSchema.(map[string]any)
	if !ok {
		return false
	}
	required, _ := form["required"].([]any)
	properties, _ := form["properties"].(map[string]any)
	for _, name := range required {
		field, _ := name.(string)
		property, _ := properties[field].(map[string]any)
		values, _ := property["enum"].([]any)
		if !contains(values, given.Content[field]) {
			return false
		}
	}
	return true
}

func contains(values []any, value any) bool {
	for _, v := range values {
		if v == value { // enum values are strings
			return true
		}
	}
	return false
}
