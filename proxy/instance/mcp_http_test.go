package instance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
)

// rawMCP posts one message as a client of the newer era would.
func (r *testInstance) rawMCP(body string, edit ...func(*http.Request)) (*http.Response, string) {
	r.t.Helper()
	edit = append([]func(*http.Request){
		with("Accept", "application/json, text/event-stream"),
		with("Mcp-Protocol-Version", eras[1]),
		with("Mcp-Method", "tools/call"), with("Mcp-Name", "get-tables"),
	}, edit...)
	return r.ask("POST", "/mcp", body, edit...)
}

func callMessage(arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get-tables","arguments":` + arguments + `,
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}

func TestMCPWithoutAHandshake(t *testing.T) {
	r := start(t)
	tests := []struct {
		name, body string
		edit       func(*http.Request)
		status     int
		want       string
		runs       bool
	}{
		{"the first message may be a call", callMessage(`{}`), func(*http.Request) {}, 200, `\"origin\":\"agent\"`, true},
		{"a session id is ignored", callMessage(`{}`), with("Mcp-Session-Id", "nobody's"), 200, `\"origin\":\"agent\"`, true},
		{"a name given twice is refused", callMessage(`{"a":1,"a":2}`), func(*http.Request) {}, 400, `-32700`, false},
		{"half a message is refused", `{"jsonrpc":`, func(*http.Request) {}, 400, `-32700`, false},
		{"a header that says another tool is refused", callMessage(`{}`), with("Mcp-Name", "run-query"), 400, `-32020`, false},
		{"a form is refused", callMessage(`{}`), with("Content-Type", "text/plain"), 400, "invalid_request", false},
		{"a message too large is refused", callMessage(`{"a":"` + strings.Repeat("x", wire.MaxRequestBytes) + `"}`), func(*http.Request) {}, 413, "too_large", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := r.tools.calls.Load()
			resp, body := r.rawMCP(tt.body, tt.edit)
			assert.Equal(t, tt.status, resp.StatusCode, body)
			assert.Contains(t, body, tt.want)
			assert.Equal(t, tt.runs, r.tools.calls.Load() > before)
			assert.Empty(t, resp.Header.Get("Mcp-Session-Id"))
		})
	}
	resp, _ := r.ask("GET", "/mcp", nil, with("Mcp-Protocol-Version", eras[1]), with("Accept", "text/event-stream"))
	assert.Equal(t, 405, resp.StatusCode, "there is no standing stream without a session")
}
