package proxy_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

const showsViews = `"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`

// withCard is a session of a server with a change card.
func (w *world) withCard(root string) *session {
	server := proxy.NewServer(w.client(nil), proxy.ServerOptions{Version: "test", Card: "<p>the card</p>"})
	return start(w.t, func(in io.Reader, out io.Writer) error { return server.Run(context.Background(), in, out) })
}

// asks sends a request and returns its answer.
func (s *session) asks(line string) string {
	s.t.Helper()
	s.send(line)
	return s.receive()
}

const (
	listTools     = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	listResources = `{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}`
	readCard      = `{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"ui://berth/change-card.html"}}`
)

func TestAClientWithoutViewsSeesNothingOfThem(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	fake := w.start(root, echo)
	plain, with := w.session(w.client(nil)), w.withCard(root)
	lines := []string{
		strings.Replace(hello, "%s", "", 1), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, listTools, listResources, readCard,
		toolCall(t, 4, "mssql_schema_designer", root), toolCall(t, 5, "get-tables", root), toolCall(t, 6, "schema_change_card", root),
	}
	for _, line := range lines {
		plain.send(line)
		with.send(line)
		if !strings.Contains(line, "notifications/") {
			assert.Equal(t, plain.receive(), with.receive(), line)
		}
	}
	for _, r := range fake.requests() {
		assert.False(t, r.Client.Views)
	}
}

func TestAClientWithViewsIsListedTheCard(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	fake := w.start(root, func(_ context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{"{}"}, View: json.RawMessage(`{"kind":"change","nonce":"abc"}`)}})
	})
	s := w.withCard(root)
	answer := s.asks(strings.Replace(hello, "%s", showsViews, 1))
	assert.Contains(t, answer, `"resources":{}`)
	assert.Contains(t, answer, `"io.modelcontextprotocol/ui":{}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	var listed struct {
		Result struct {
			Tools []struct {
				Name string
				Meta struct {
					UI struct {
						ResourceURI string `json:"resourceUri"`
						Visibility  []string
					}
				} `json:"_meta"`
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.asks(listTools)), &listed))
	seen := map[string]string{}
	for _, tool := range listed.Result.Tools {
		seen[tool.Name] = strings.Join(tool.Meta.UI.Visibility, ",") + " " + tool.Meta.UI.ResourceURI
	}
	assert.Equal(t, "model ui://berth/change-card.html", seen["mssql_schema_designer"])
	assert.Equal(t, "model ui://berth/change-card.html", seen["schema_designer_read"])
	assert.Equal(t, "model ", seen["run-query"])
	assert.Equal(t, "app ", seen["schema_change_card"])

	assert.Contains(t, s.asks(listResources), "ui://berth/change-card.html")
	read := s.asks(readCard)
	assert.Contains(t, read, "the card")
	assert.Contains(t, read, "text/html;profile=mcp-app")

	called := s.asks(toolCall(t, 4, "mssql_schema_designer", root))
	var result struct {
		Result struct {
			Content           json.RawMessage
			StructuredContent json.RawMessage
			Meta              map[string]json.RawMessage `json:"_meta"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(called), &result))
	assert.JSONEq(t, `{"kind":"change","nonce":"abc"}`, string(result.Result.Meta["io.github.berth-dev/view"]))
	assert.NotContains(t, string(result.Result.Content)+string(result.Result.StructuredContent), "abc", "no model reads it")
	s.asks(toolCall(t, 5, "schema_change_card", root))
	require.Len(t, fake.requests(), 2)
	for _, r := range fake.requests() {
		assert.True(t, r.Client.Views)
	}
}
