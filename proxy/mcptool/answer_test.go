package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/mcptool"
)

// question is a form with one choice, as it comes from an instance.
func question(t *testing.T) *mcp.ElicitParams {
	t.Helper()
	var p mcp.ElicitParams
	require.NoError(t, json.Unmarshal([]byte(`{"mode":"form","message":"Drop t?","requestedSchema":{"type":"object",
		"properties":{"decision":{"type":"string","enum":["approve","reject"]}},"required":["decision"]}}`), &p))
	return &p
}

func TestWhateverAClientAnswersReachesTheInstance(t *testing.T) {
	content := func(v any) map[string]any { return map[string]any{"decision": v} }
	for name, tt := range map[string]struct {
		given *mcp.ElicitResult
		err   error
		want  mcp.ElicitResult
	}{
		"a choice":               {&mcp.ElicitResult{Action: "accept", Content: content("approve")}, nil, mcp.ElicitResult{Action: "accept", Content: content("approve")}},
		"no":                     {&mcp.ElicitResult{Action: "decline"}, nil, mcp.ElicitResult{Action: "decline"}},
		"an empty form":          {&mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil, mcp.ElicitResult{Action: "accept"}},
		"no form":                {&mcp.ElicitResult{Action: "accept"}, nil, mcp.ElicitResult{Action: "accept"}},
		"another word":           {&mcp.ElicitResult{Action: "accept", Content: content("yes")}, nil, mcp.ElicitResult{Action: "accept"}},
		"what is no word at all": {&mcp.ElicitResult{Action: "accept", Content: content([]any{"approve"})}, nil, mcp.ElicitResult{Action: "accept"}},
		"an error":               {nil, errors.New("no form here"), mcp.ElicitResult{Action: "error"}},
	} {
		t.Run(name, func(t *testing.T) {
			send := mcptool.EveryAnswer(func(context.Context, string, mcp.Request) (mcp.Result, error) { return tt.given, tt.err })
			got, err := send(t.Context(), "elicitation/create", &mcp.ServerRequest[mcp.Params]{Params: question(t)})
			require.NoError(t, err)
			assert.Equal(t, &tt.want, got)
		})
	}
}

func TestACallThatWasEndedStaysEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	send := mcptool.EveryAnswer(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) { return nil, ctx.Err() })
	_, err := send(ctx, "elicitation/create", &mcp.ServerRequest[mcp.Params]{Params: question(t)})
	assert.ErrorIs(t, err, context.Canceled)
	_, err = send(t.Context(), "ping", &mcp.ServerRequest[mcp.Params]{Params: &mcp.PingParams{}})
	assert.NoError(t, err, "and nothing else is touched")
}
