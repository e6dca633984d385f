package proxy

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPlainAnswerIsTheLibrarys(t *testing.T) {
	text := []mcp.Content{&mcp.TextContent{Text: `["<a>"]`}, &mcp.TextContent{Text: "\u2028 & more"}}
	for name, result := range map[string]*mcp.CallToolResult{
		"texts":      {Content: text},
		"an error":   {Content: text, IsError: true},
		"structured": {Content: text, StructuredContent: json.RawMessage(`{ "tables": ["<a>"], "notes": ["& more"] }`)},
	} {
		id, err := jsonrpc.MakeID("7<")
		require.NoError(t, err)
		raw, err := json.Marshal(result)
		require.NoError(t, err)
		want, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Result: raw})
		require.NoError(t, err)
		assert.Equal(t, string(want), string(plainAnswer(id, result)), name)
	}
}
