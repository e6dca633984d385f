package mcptool_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

func TestAToolIsListedAsTheCatalogueDefinesIt(t *testing.T) {
	definitions := append(catalog.All(), catalog.Definition{
		Name: "structured", Title: "Structured", Description: "Has an output schema.",
		InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"object"}`),
	})
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			want, err := json.Marshal(d)
			require.NoError(t, err)
			got, err := json.Marshal(mcptool.Tool(d))
			require.NoError(t, err)
			assert.JSONEq(t, string(want), string(got), "with every annotation, also the false ones")
		})
	}
}

func TestARequestCarriesWhatTheCallNeeds(t *testing.T) {
	params := &mcp.CallToolParamsRaw{
		Name: "get-tables", Arguments: json.RawMessage(`{"a":1}`), RequestState: "sealed",
		InputResponses: mcp.InputResponseMap{"sure": &mcp.ElicitResult{Action: "decline"}},
	}
	params.SetProgressToken("p")
	got, err := mcptool.Request(&mcp.CallToolRequest{Params: params})
	require.NoError(t, err)
	assert.Equal(t, wire.Request{
		Arguments: json.RawMessage(`{"a":1}`), WantProgress: true, RequestState: "sealed",
		InputResponses: json.RawMessage(`{"sure":{"action":"decline"}}`),
	}, got)
}

func TestAFormNeedsAClientThatShowsForms(t *testing.T) {
	tests := []struct {
		name, capabilities string
		want               bool
	}{
		{"no capability", `{}`, false},
		{"the older, empty one", `{"elicitation":{}}`, true},
		{"forms", `{"elicitation":{"form":{}}}`, true},
		{"forms and URLs", `{"elicitation":{"form":{},"url":{}}}`, true},
		{"URLs only", `{"elicitation":{"url":{}}}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var capabilities any
			require.NoError(t, json.Unmarshal([]byte(tt.capabilities), &capabilities))
			got, err := mcptool.Request(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{
				mcp.MetaKeyClientCapabilities: capabilities,
				mcp.MetaKeyClientInfo:         map[string]any{"name": "claude", "version": "2"},
			}}})
			require.NoError(t, err)
			assert.Equal(t, wire.Client{Name: "claude", Version: "2", Elicitation: tt.want}, got.Client)
		})
	}
}

func TestAReplyKeepsItsParts(t *testing.T) {
	tests := []struct {
		name string
		line wire.Line
		want string
	}{
		{
			"texts in order, the structured part and the error mark",
			wire.Line{Result: &wire.Result{Content: []string{"a", "b"}, Structured: json.RawMessage(`{"n":1}`), IsError: true}},
			`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"structuredContent":{"n":1},"isError":true}`,
		},
		{"no content is an empty list", wire.Line{Result: &wire.Result{}}, `{"content":[]}`},
		{
			"input requests and their state",
			wire.Line{Input: &wire.Input{State: "sealed", Requests: json.RawMessage(`{"sure":{"method":"elicitation/create","params":{"message":"Sure?"}}}`)}},
			`{"content":null,"requestState":"sealed","inputRequests":{"sure":{"method":"elicitation/create","params":{"message":"Sure?","mode":"form"}}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, err := mcptool.Result(tt.line)
			require.NoError(t, err)
			got, err := json.Marshal(result)
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(got))
		})
	}
}

func TestWhatIsNoEndOfAReplyIsAnError(t *testing.T) {
	for name, line := range map[string]wire.Line{
		"a progress line":                {Progress: &wire.Progress{}},
		"nothing":                        {},
		"input requests that are broken": {Input: &wire.Input{Requests: json.RawMessage(`[]`)}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mcptool.Result(line)
			assert.Error(t, err)
		})
	}
}
