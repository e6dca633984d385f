package instance_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/presence"
)

// board is a Presence that is not in a team.
type board struct{ *presence.Board }

func (b board) Began(call tools.Call) func() {
	done := b.Board.Began(presence.Agent{ID: call.Client.ID, Name: call.Client.Name, Project: call.Client.Project, Machine: call.Client.Machine}, call.Tool)
	return func() { done(presence.Subject{}) }
}

func (b board) List(context.Context, bool) presence.List {
	return presence.List{Self: b.Self(), Here: b.Board.List()}
}

// startHere serves an instance that knows who is here.
func startHere(t *testing.T) *testInstance {
	t.Helper()
	b := presence.New(presence.Options{Self: presence.Self{Person: "ann", Machine: "laptop", Project: "shop"}})
	t.Cleanup(b.Close)
	return start(t, func(c *instance.Config) { c.Presence = board{b} })
}

// here asks who is here.
func (r *testInstance) here() (list presence.List) {
	r.t.Helper()
	resp, body := r.ask("GET", "/presence", nil)
	require.Equal(r.t, 200, resp.StatusCode, body)
	require.NoError(r.t, json.Unmarshal([]byte(body), &list))
	return list
}

func TestPagesSayThatTheyAreHereAndLeaveWithTheirKey(t *testing.T) {
	r := startHere(t)
	id, credential := r.signIn()
	say := func(body string, edit ...func(*http.Request)) (int, string) {
		resp, text := r.ask("POST", "/presence", body, append([]func(*http.Request){as(credential)}, edit...)...)
		return resp.StatusCode, text
	}
	status, body := say(`{"page": "p1", "program": "Firefox"}`)
	require.Equal(t, 200, status, body)
	assert.Contains(t, body, `"program":"Firefox"`)
	assert.Equal(t, "ann", r.here().Here[0].Person)

	for _, bad := range []string{`{}`, `{"page": "a b"}`, `{"page": "p", "view": "<x>"}`, `[]`, `{"page": 1}`} {
		status, body = say(bad)
		assert.Equal(t, 400, status, "%s: %s", bad, body)
	}
	status, _ = say(`{"page": "p1", "program": "` + strings.Repeat("x", 9000) + `"}`)
	assert.Equal(t, 413, status)
	status, body = say(`{"page": "p2"}`, with("Origin", "http://evil.example"))
	assert.Equal(t, 403, status, "a page of another origin")
	assert.NotContains(t, body, "ann")
	status, _ = say(`{"page": "p2"}`, as(r.self.Token.Header()))
	assert.Equal(t, 403, status, "the token is no page")
	resp, _ := r.ask("GET", "/presence", nil, as(""))
	assert.Equal(t, 401, resp.StatusCode)
	resp, _ = r.ask("GET", "/presence?ask=maybe", nil)
	assert.Equal(t, 400, resp.StatusCode)
	assert.Len(t, r.here().Here, 1)

	resp, body = r.ask("DELETE", "/keys/"+id, nil, as(credential))
	require.Equal(t, 200, resp.StatusCode, body)
	assert.Empty(t, r.here().Here)
}

// A front-end is here with its first call, and gone with its last connection.
func TestAFrontEndIsHereUntilItsConnectionsEnd(t *testing.T) {
	r := startHere(t)
	c := r.callConn()
	assert.Empty(t, r.here().Here, "it has not called yet")
	c.call(wire.Call{Tool: "get-tables", Request: wire.Request{Client: wire.Client{ID: "f1", Name: "claude-code\a", Project: "web", Machine: "desk"}}})
	e := r.here().Here[0]
	assert.Equal(t, []string{"agent", "get-tables", "web", "desk"}, []string{string(e.Kind), e.Tool, e.From, e.Machine})
	assert.NotContains(t, e.Program, "\a")
	require.NoError(t, c.Close())
	require.Eventually(t, func() bool { return len(r.here().Here) == 0 }, patience, time.Millisecond)
}

func TestALeaseIsAProgramThatIsHere(t *testing.T) {
	r := startHere(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	<-r.listen("/events?lease=VS+Code", func(q *http.Request) { *q = *q.WithContext(ctx) })
	require.Len(t, r.here().Here, 1)
	assert.Equal(t, "VS Code", r.here().Here[0].Program)
	cancel()
	require.Eventually(t, func() bool { return len(r.here().Here) == 0 }, patience, time.Millisecond)
}
