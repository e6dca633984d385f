package proxy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A member of the protocol's own, which the shortcut does not take, has the MCP
// library answer the same call: nobody can tell which of the two it was.
func TestTheShortcutAnswersAsTheLibraryDoes(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.serveReal(root)
	arguments := string(arguments(t, root))
	tests := []struct{ name, tool, arguments string }{
		{"a result", "get-tables", arguments},
		{"what the instance knows of the client", "get-database-type", arguments},
		{"a result that is an error", "run-query", arguments},
		{"a project that is not running", "get-tables", strings.Replace(arguments, "/a\"", "\"", 1)},
		{"a refusal with characters that HTML escapes", "get-tables", `{"projectRoot":"<&>"}`},
		{"no projectRoot", "get-tables", `{}`},
	}
	for _, capabilities := range []string{"", `"elicitation":{}`} {
		s := w.session(w.client(nil))
		s.greet(capabilities)
		for i, tt := range tests {
			t.Run(tt.name+" "+capabilities, func(t *testing.T) {
				line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"tools/call","params":{"name":%q,"arguments":%s}}`, i, tt.tool, tt.arguments)
				for _, meta := range []string{``, `"progressToken":1`, `"progressToken":"one","a client's/own":{"a":[1]}`} {
					short := s.answered(line, meta)
					long := s.answered(line, strings.TrimPrefix(meta+`,"io.modelcontextprotocol/any":1`, ","))
					require.Contains(t, long[len(long)-1], `"result"`)
					assert.Equal(t, long, short, meta)
				}
			})
		}
	}
}

// answered sends a call with the members of its _meta, and returns all lines up
// to its answer.
func (s *session) answered(line, meta string) (all []string) {
	s.send(strings.Replace(line, `"params":{`, `"params":{"_meta":{`+meta+`},`, 1))
	for {
		got := s.receive()
		if all = append(all, got); parse(got).Method == "" {
			return all
		}
	}
}

func TestACallWithTheIDOfAnotherIsRefused(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	began, ended := waiting(w, root)
	for _, tool := range []string{"get-tables", "mssql_schema_designer"} { // by the shortcut, and by the library
		s := w.session(w.client(nil))
		s.greet("")
		s.send(toolCall(t, 7, tool, root))
		<-began
		s.send(toolCall(t, 7, "get-tables", root))
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message refused: a call with this id is in progress"}}`, s.receive())
		s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		requireEnded(t, ended)
	}
}
