package proxy

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainAnswer returns the message that answers a call with texts and structured
// content, as most calls are answered: the bytes that the MCP library would encode,
// which it copies and checks several times on the way. It returns nil for any
// other result.
func plainAnswer(id jsonrpc.ID, result *mcp.CallToolResult) []byte {
	if result == nil || result.Meta != nil || result.InputRequests != nil {
		return nil
	}
	raw, err := json.Marshal(id.Raw())
	if text, ok := id.Raw().(string); ok { // which the library does not escape for HTML
		raw, err = jsontext.AppendQuote(nil, text)
	}
	if err != nil {
		return nil
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), raw...)
	b = append(b, `,"result":{"content":[`...)
	for i, item := range result.Content {
		text, ok := item.(*mcp.TextContent)
		if !ok || text.Meta != nil || text.Annotations != nil {
			return nil
		}
		if i > 0 {
			b = append(b, ',')
		}
		quoted, err := json.Marshal(text.Text)
		if err != nil {
			return nil
		}
		b = append(append(b, `{"type":"text","text":`...), quoted...)
		b = append(b, '}')
	}
	b = append(b, ']')
	if result.StructuredContent != nil {
		structured, err := json.Marshal(result.StructuredContent)
		if err != nil {
			return nil
		}
		b = append(append(b, `,"structuredContent":`...), structured...)
	}
	if result.IsError {
		b = append(b, `,"isError":true`...)
	}
	return append(b, `}}`...)
}
