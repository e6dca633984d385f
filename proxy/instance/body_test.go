package instance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
)

func TestBodiesThatAreNotStrictAreRefused(t *testing.T) {
	r := start(t)
	deep := strings.Repeat("[", wire.MaxDepth+1) + strings.Repeat("]", wire.MaxDepth+1)
	tests := []struct {
		name, path, body string
		edit             func(*http.Request)
		status           int
		code             wire.Code
	}{
		{"a name given twice", "/tools/get-tables", `{"arguments":{},"arguments":{"a":1}}`, nil, 400, wire.CodeInvalidJSON},
		{"a name given twice in the arguments", "/tools/get-tables", `{"arguments":{"a":1,"a":2}}`, nil, 400, wire.CodeInvalidJSON},
		{"two values", "/query", `{"query":"SELECT 1"}{"query":"DROP TABLE t"}`, nil, 400, wire.CodeInvalidJSON},
		{"no JSON", "/query", `query=SELECT 1`, nil, 400, wire.CodeInvalidJSON},
		{"half a value", "/query", `{"query":`, nil, 400, wire.CodeInvalidJSON},
		{"invalid UTF-8", "/query", "{\"query\":\"\xff\"}", nil, 400, wire.CodeInvalidJSON},
		{"nesting without end", "/tools/get-tables", `{"arguments":` + deep + `}`, nil, 400, wire.CodeInvalidJSON},
		{"a value of the wrong type", "/query", `{"query":7}`, nil, 400, wire.CodeInvalidJSON},
		{"a name in the wrong case", "/query", `{"Query":"SELECT 1"}`, nil, 400, wire.CodeInvalidRequest},
		{"an empty query", "/query", `{"query":""}`, nil, 400, wire.CodeInvalidRequest},
		{"a negative deadline", "/tools/get-tables", `{"deadlineMs":-1}`, nil, 400, wire.CodeInvalidRequest},
		{"a form, which any web page may send", "/query", `{"query":"SELECT 1"}`, with("Content-Type", "text/plain"), 400, wire.CodeInvalidRequest},
		{"a body too large", "/query", `{"query":"` + strings.Repeat("x", wire.MaxRequestBytes) + `"}`, nil, 413, wire.CodeTooLarge},
		{"a body too large that does not say so", "/query", `{"query":"` + strings.Repeat("x", wire.MaxRequestBytes) + `"}`,
			func(req *http.Request) { req.ContentLength = -1 }, 413, wire.CodeTooLarge},
		{"a sign-in too large", "/signin", `{"code":"` + strings.Repeat("x", 5000) + `"}`, nil, 413, wire.CodeTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit := tt.edit
			if edit == nil {
				edit = func(*http.Request) {}
			}
			resp, body := r.ask("POST", tt.path, tt.body, edit)
			assert.Equal(t, tt.status, resp.StatusCode, body)
			assert.Equal(t, string(tt.code), failure(t, body).Error)
			assert.Less(t, len(body), 300, "the caller's input is not sent back")
		})
	}
	assert.Zero(t, r.db.count()+int(r.tools.calls.Load()), "no handler ran")
}
