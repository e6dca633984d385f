package proxy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What goes wrong behind a proven connection is told in the tool's own style.
func TestFailureOfTheHop(t *testing.T) {
	code := func(c wire.Code) func(rw responseWriter) {
		return func(rw responseWriter) { fail(rw, c, "because") }
	}
	tests := []struct {
		name string
		then func(rw responseWriter)
		want string // in the explanation
	}{
		{"the token is refused", code(wire.CodeUnauthorized), "Restart both"},
		{"the host is refused", code(wire.CodeForbiddenHost), "Restart both"},
		{"the tool is unknown to an older instance", code(wire.CodeNotFound), "404 (not_found): because"},
		{"too many calls", code(wire.CodeOverloaded), "Nothing was done"},
		{"the call took too long there", code(wire.CodeTimeout), "too long in the project's instance"},
		{"the instance failed", code(wire.CodeInternal), "500 (internal): because"},
		{"an error without a body", func(rw responseWriter) { rw.WriteHeader(502) }, "502 (internal): Bad Gateway"},
		{"an error body without end", func(rw responseWriter) {
			rw.WriteHeader(500)
			for range 1000 {
				if _, err := io.WriteString(rw, strings.Repeat("x", 1000)); err != nil {
					return
				}
			}
		}, "500 (internal): Internal Server Error"},
		{"a redirect", func(rw responseWriter) {
			rw.Header().Set("Location", "http://127.0.0.1:1/")
			rw.WriteHeader(http.StatusTemporaryRedirect)
		}, "307 (internal)"},
		{"a reply without end", func(rw responseWriter) {}, "broke before the answer"},
		{"a reply that is no JSON", func(rw responseWriter) { fmt.Fprintln(rw, "hello") }, "broke before the answer"},
		{"a reply with two ends in a line", func(rw responseWriter) {
			fmt.Fprintln(rw, `{"result":{"content":["a"]},"inputRequired":{"requests":{},"state":""}}`)
		}, "broke before the answer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			w.early = true
			f := w.start(root, nil)
			f.replace(answer(f, tt.then))
			c := w.client(nil)

			text := call(t, c, root)
			assert.True(t, text.IsError)
			require.Len(t, text.Content, 2)
			assert.Equal(t, "Could not establish database connection", text.Content[0])
			assert.Contains(t, text.Content[1], tt.want)

			result := callTool(t, c, "mssql_schema_designer", arguments(t, root))
			assert.True(t, result.IsError)
			require.Len(t, result.Content, 1)
			var body struct {
				Success         bool
				Reason, Message string
			}
			require.NoError(t, json.Unmarshal([]byte(result.Content[0]), &body))
			assert.False(t, body.Success)
			assert.Equal(t, "internal_error", body.Reason)
			assert.Contains(t, body.Message, tt.want)
		})
	}
}

func TestCallThatIsTooLargeIsNotSent(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	head := arguments(t, root, `,"query":""`)
	args := strings.Replace(string(head), `""`, `"`+strings.Repeat("x", wire.MaxRequestBytes-len(head))+`"`, 1)
	result := callTool(t, w.client(nil), "run-query", json.RawMessage(args))
	assert.Equal(t, []string{"Error: the call is larger than 4194304 bytes: send less at once"}, result.Content)
	assert.Empty(t, f.requests())
}

func TestCallTimeoutIsTold(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, func(ctx context.Context, _ string, _ wire.Request, _ *wire.LineWriter) { <-ctx.Done() })
	c := w.client(func(o *proxy.Options) { o.CallTimeout = 50 * time.Millisecond })
	result := call(t, c, root)
	assert.Equal(t, wire.TextNoConnection, result.Content[0])
	assert.Contains(t, result.Content[1], "took too long")

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Call(ctx, "get-tables", arguments(t, root), proxy.CallOptions{})
	assert.ErrorIs(t, err, context.DeadlineExceeded, "the caller's own deadline is the caller's to word")
}

func TestDo(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	c := w.client(nil)
	var out struct{ State string }
	require.ErrorIs(t, c.Do(t.Context(), root, "GET", "/status", nil, &out), proxy.ErrNotRunning)
	require.ErrorIs(t, c.Do(t.Context(), "a", "GET", "/status", nil, &out), portmap.ErrNotAbsolute)

	f := w.start(root, echo)
	var status struct {
		State string `json:"state"`
	}
	require.NoError(t, c.Do(t.Context(), root, "GET", "/status", nil, &status))
	assert.Equal(t, "fine", status.State)
	require.NoError(t, c.Do(t.Context(), root, "GET", "/status", nil, nil))
	require.NoError(t, c.Do(t.Context(), root, "POST", "/tools/get-tables", wire.Request{}, nil))

	var refused *proxy.RefusedError
	err := c.Do(t.Context(), root, "POST", "/tools/get-tables", []int{1}, nil)
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, wire.CodeInvalidJSON, refused.Code)
	assert.Equal(t, 400, refused.Status)

	f.crash()
	require.ErrorIs(t, c.Do(t.Context(), root, "GET", "/status", nil, nil), proxy.ErrNotRunning)
}
