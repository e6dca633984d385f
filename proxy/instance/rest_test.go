package instance_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
)

func TestTheFourRoutesAnswerAsTheDocumentsSay(t *testing.T) {
	r := start(t)
	tests := []struct {
		method, path string
		body         any
		want         string
	}{
		{"GET", "/tables", nil, `{"tables":["Customers","Orders"]}`},
		{"GET", "/tables/Orders/schema", nil, `{"schema":"CREATE TABLE Orders"}`},
		{"POST", "/query", map[string]string{"query": "SELECT 1 AS n"}, `{"result":[{"n":1}]}`},
		{"GET", "/database-type", nil, `{"type":"sqlite"}`},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			resp, body := r.ask(tt.method, tt.path, tt.body)
			assert.Equal(t, 200, resp.StatusCode)
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			assert.JSONEq(t, tt.want, body)
		})
	}
	assert.Equal(t, []string{"tables", "schema Orders", "query SELECT 1 AS n", "type"}, r.db.asked)
}

func TestATableMayHaveAnyName(t *testing.T) {
	r := start(t)
	for _, name := range []string{"a/b", "a b", "dbo.Orders", "Größe", "表", "100%", "a?b#c", "..", "%2F", "a//b", "schema"} {
		t.Run(name, func(t *testing.T) {
			path := "/tables/" + url.PathEscape(name) + "/schema"
			if name == ".." {
				path = "/tables/%2E%2E/schema" // which is a name; /../ is not
			}
			resp, body := r.ask("GET", path, nil)
			require.Equal(t, 200, resp.StatusCode, body)
			assert.Equal(t, "schema "+name, r.db.asked[len(r.db.asked)-1])
		})
	}
}

func TestDatabaseErrorsAreToldWithAFittingStatus(t *testing.T) {
	syntax := errors.New(`near "SELEC": syntax error`)
	tests := []struct {
		name, method, path string
		err                error
		status             int
		want               wire.Failure
	}{
		{"a query the database refused", "POST", "/query", syntax, 400,
			wire.Failure{Message: `near "SELEC": syntax error`, Error: "query_failed"}},
		{"no database behind the tables", "GET", "/tables", errors.New("dial tcp: password=hunter2"), 503,
			wire.Failure{Message: wire.TextNoConnection, Error: "no_connection"}},
		{"no database behind a schema", "GET", "/tables/t/schema", errors.New("refused"), 503,
			wire.Failure{Message: wire.TextNoConnection, Error: "no_connection"}},
		{"no database behind the type", "GET", "/database-type", errors.New("refused"), 503,
			wire.Failure{Message: wire.TextNoConnection, Error: "no_connection"}},
		{"an error that says how it is told", "GET", "/tables/t/schema",
			&instance.DatabaseError{Code: wire.CodeNotFound, Message: "no table t"}, 404,
			wire.Failure{Message: "no table t", Error: "not_found"}},
		{"a query that found no place", "POST", "/query", refusal{"overloaded", "24 run at once"}, 503,
			wire.Failure{Message: "24 run at once", Error: "overloaded"}},
		{"a list of tables that found none", "GET", "/tables", refusal{"overloaded", "8 run at once"}, 503,
			wire.Failure{Message: "8 run at once", Error: "overloaded"}},
		{"a query that took too long", "POST", "/query", context.DeadlineExceeded, 504,
			wire.Failure{Message: "the call took too long; ask for less or allow more time", Error: "timeout"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t)
			r.db.err = tt.err
			var body any
			if tt.method == "POST" {
				body = map[string]string{"query": "SELECT 1"}
			}
			resp, text := r.ask(tt.method, tt.path, body)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.want, failure(t, text))
			assert.NotContains(t, r.log.String(), "hunter2")
		})
	}
}

func TestPathsLeadWhereTheySayOrNowhere(t *testing.T) {
	r := start(t)
	tests := []struct {
		method, path string
		status       int
	}{
		{"GET", "/nothing", 404},
		{"POST", "/nothing", 404},
		{"POST", "/tools/", 404},
		{"POST", "/tools/no-such-tool", 404},
		{"POST", "/tools/../handover", 404},
		{"POST", "/tools/%2e%2e/handover", 404},
		{"POST", "/tools/..%2fhandover", 404},
		{"POST", "//handover", 404},
		{"POST", "/./handover", 404},
		{"POST", "/handover/", 404},
		{"POST", "/%68andover", 404},
		{"GET", "/tables//schema", 404},
		{"GET", "/tables/a/b/schema", 404},
		{"GET", "/tables/../schema", 404},
		{"GET", "/page/index.html", 404},
		{"GET", "/query", 405},
		{"PUT", "/tables", 405},
		{"DELETE", "/", 404},
		{"HEAD", "/tables", 405},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			req := r.request(tt.method, "/", nil)
			req.URL.Opaque = "//" + r.addr + tt.path // sent as it stands
			resp, err := r.client.Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		})
	}
	r.stillServes()
	assert.Zero(t, r.db.count()+int(r.tools.calls.Load()))
}

func TestAnInstanceOffersOnlyWhatItHas(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.Rest, c.Events, c.Keys = nil, nil, nil })
	for _, path := range []string{"/tables", "/events", "/keys"} {
		resp, body := r.ask("GET", path, nil)
		assert.Equal(t, 404, resp.StatusCode, body)
	}
	resp, body := r.ask("GET", "/status", nil)
	assert.Equal(t, 200, resp.StatusCode)
	assert.JSONEq(t, "{}", body)
	resp, _ = r.ask("GET", "/status", nil, as("Bearer AAAAAAAAAAAAAAAAAAAAAA."+"A"))
	assert.Equal(t, 401, resp.StatusCode)
}

func TestStatusSaysWhatTheProjectSays(t *testing.T) {
	r := start(t, func(c *instance.Config) {
		c.Status = func(context.Context) wire.Status { return wire.Status{SyncState: "proposed 3"} }
	})
	_, body := r.ask("GET", "/status", nil)
	assert.JSONEq(t, `{"syncState":"proposed 3"}`, body)
}
