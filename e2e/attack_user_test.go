//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/wire"
)

// TestAnotherUserWithEveryCredentialGetsNothing hands code, page key, token
// and person key to a process of another user.
func TestAnotherUserWithEveryCredentialGetsNothing(t *testing.T) {
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	th := newThief(t)
	token, person, key, code := w.token(in), w.personKey(), w.signIn(in), w.code(in)
	with := func(credential string) map[string]string { return map[string]string{"Authorization": credential} }
	both := map[string]string{"Authorization": "Bearer " + token, wire.PersonHeader: person}
	mcp := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	got, tried, hungUp := 0, 0, 0
	try := func(p prey) {
		p.URL = in.URL + p.URL
		l := th.send(p)
		tried++
		if l.Status == 0 { // the refusal came before the request was written, and the connection ended
			hungUp++
			return
		}
		if assert.Equal(t, 403, l.Status, "%s %s: %s%s", p.Method, p.URL, l.Body, l.Err) {
			assert.Contains(t, l.Body, "forbidden_user")
			assert.Contains(t, l.Body, "user 65534 (nobody)")
			assert.Contains(t, l.Body, `trustedPeers: [\"65534\"]`)
			assert.NotContains(t, l.Body, filepath.Base(in.ProjectRoot), "nothing of the project")
			return
		}
		got++
	}
	try(prey{Method: "POST", URL: "/signin", Body: fmt.Sprintf(`{"code":%q}`, code)})
	try(prey{Method: "POST", URL: "/signin/code", Body: "{}", Header: both})
	try(prey{Method: "POST", URL: "/signin/open", Body: "{}", Header: map[string]string{"Origin": in.URL}})
	try(prey{Method: "GET", URL: "/health"})
	try(prey{Method: "GET", URL: "/"})
	for _, credential := range []string{key, "Bearer " + token} {
		for _, path := range []string{"/tables", "/designs", "/projects", "/keys", "/status", "/approvals", "/events", "/database-type"} {
			try(prey{Method: "GET", URL: path, Header: with(credential)})
		}
		try(prey{Method: "POST", URL: "/query", Body: `{"query":"SELECT * FROM customer"}`, Header: with(credential)})
		try(prey{Method: "POST", URL: "/tools/run-query", Body: `{"arguments":{"query":"SELECT 1"}}`, Header: with(credential)})
		try(prey{Method: "POST", URL: "/mcp", Body: mcp, Header: with(credential)})
		try(prey{Method: "POST", URL: "/projects/open", Body: fmt.Sprintf(`{"projectRoot":%q}`, in.ProjectRoot), Header: with(credential)})
	}
	t.Logf("%d requests of another user with good credentials: %d were answered", tried, got)
	assert.Less(t, hungUp, tried/2, "most are told why")

	status, body := request(t, in, "GET", "/tables", "", with(key))
	assert.Equal(t, 200, status, body)
	status, body = request(t, in, "POST", "/signin", fmt.Sprintf(`{"code":%q}`, code), nil)
	assert.Equal(t, 200, status, "the thief did not use it up: %s", body)
	refusals := strings.Count(in.stderr.String(), "connection of another user refused")
	assert.Positive(t, refusals, "the log says so")
	assert.Less(t, refusals, tried, "but not for each")
}

// TestAUserWhoIsTrustedStillNeedsACredential names a relay's user.
func TestAUserWhoIsTrustedStillNeedsACredential(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, os.MkdirAll(w.home, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(w.home, "config.yaml"), []byte("trustedPeers: [\"65534\"]\n"), 0o600))
	in := w.serve(w.project("app", twoTables))
	th := newThief(t)
	assert.Equal(t, 401, th.send(prey{Method: "GET", URL: in.URL + "/tables"}).Status)
	assert.Equal(t, 200, th.send(prey{Method: "GET", URL: in.URL + "/tables", Header: map[string]string{"Authorization": w.signIn(in)}}).Status)

	require.NoError(t, os.WriteFile(filepath.Join(w.home, "config.yaml"), []byte("trustedPeers: [no-such-user-here]\n"), 0o600))
	_, err := w.tryServe(w.project("other", twoTables))
	assert.ErrorContains(t, err, "no-such-user-here")
}
