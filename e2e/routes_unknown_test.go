package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A table that is not there is no failed connection, and a choice that nobody
// made is said as the tools say it.
func TestRoutesSayWhatIsWrongWithACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := w.project("one", twoTables), w.project("two", twoTables)
	database, err := os.ReadFile(filepath.Join(two, "app.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(two, "other.db"), database, 0o644))
	in, both := w.serve(one), w.serve(two)

	status, body := w.get(in, "/tables/custmer/schema")
	assert.Equal(t, 404, status, body)
	assert.JSONEq(t, `{"error":"not_found","message":"no table is named \"custmer\"; the nearest are: customer, purchase"}`, body)
	status, body = w.get(in, "/tables/customer/schema")
	assert.Equal(t, 200, status, body)
	for _, path := range []string{"/tables", "/tables/customer/schema", "/database-type"} {
		status, body = w.get(both, path)
		assert.Equal(t, 400, status, path)
		assert.Contains(t, body, "several databases; say which with the argument connection: app.db, other.db", path)
	}
}

// get calls a route with the instance's token.
func (w *world) get(in *instance, path string) (status int, body string) {
	w.t.Helper()
	client := &http.Client{Transport: tokenBearer(w.token(in)), Timeout: patience}
	resp, err := client.Get(in.URL + path)
	require.NoError(w.t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(w.t, err)
	return resp.StatusCode, string(text)
}
