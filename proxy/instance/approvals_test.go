package instance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// waiting is an instance on which one plan waits for a person.
func waiting(t *testing.T) (r *testInstance, ledger *approval.Ledger, id string) {
	t.Helper()
	ledger, err := approval.New(approval.Options{})
	require.NoError(t, err)
	d, err := ledger.Decide(tools.Call{Tool: "execute-sql"}, approval.Plan{Kind: approval.KindQuery, Title: "Run this?", Detail: "DELETE FROM t", Format: approval.FormatSQL})
	require.NoError(t, err)
	return start(t, func(c *instance.Config) { c.Approvals = ledger }), ledger, d.Refused.PlanID
}

func TestOnlyAPageDecides(t *testing.T) {
	r, ledger, id := waiting(t)
	path := "/approvals/" + id
	for name, body := range map[string]string{"with the token": "", "with the token and the person key": r.person.Header()} {
		resp, text := r.ask("POST", path, `{"decision":"approve"}`, with(wire.PersonHeader, body))
		assert.Equal(t, 403, resp.StatusCode, name)
		assert.Contains(t, failure(t, text).Message, "berth approvals at a terminal", "the refusal says who decides, and where")
	}
	resp, _ := r.ask("POST", path, `{"decision":"approve"}`, as(""))
	assert.Equal(t, 401, resp.StatusCode)
	assert.Equal(t, approval.Pending, ledger.List()[0].State)

	_, page := r.signIn()
	resp, text := r.ask("POST", path, `{"decision":"approve"}`, as(page))
	require.Equal(t, 200, resp.StatusCode, text)
	var e approval.Entry
	require.NoError(t, json.Unmarshal([]byte(text), &e))
	assert.Equal(t, approval.Approved, e.State)
	resp, text = r.ask("POST", path, `{"decision":"reject"}`, as(page))
	assert.Equal(t, 400, resp.StatusCode)
	assert.Contains(t, text, "cannot be decided any more")
}

func TestWhatWaitsIsListedForAnyKey(t *testing.T) {
	r, _, id := waiting(t)
	_, page := r.signIn()
	for _, credential := range []string{r.self.Token.Header(), page} {
		resp, text := r.ask("GET", "/approvals", nil, as(credential))
		require.Equal(t, 200, resp.StatusCode, text)
		var list struct{ Approvals []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(text), &list))
		require.Len(t, list.Approvals, 1)
		e := list.Approvals[0]
		delete(e, "created")
		delete(e, "expires")
		assert.Equal(t, map[string]any{"id": id, "kind": "query", "title": "Run this?", "detail": "DELETE FROM t", "format": "sql",
			"cut": false, "client": "", "state": "pending"}, e)
	}
	resp, _ := r.ask("GET", "/approvals", nil, as(""))
	assert.Equal(t, 401, resp.StatusCode)
}

func TestADecisionIsOneOfTwoWordsAboutAPlanThatWaits(t *testing.T) {
	r, ledger, id := waiting(t)
	_, page := r.signIn()
	for body, status := range map[string]int{
		`{"decision":"yes"}`: 400, `{}`: 400, `{"decision":"approve","decision":"reject"}`: 400, `[]`: 400,
		`{"decision":"approve"}` + strings.Repeat(" ", 5000): 413,
	} {
		resp, text := r.ask("POST", "/approvals/"+id, body, as(page))
		assert.Equal(t, status, resp.StatusCode, text)
	}
	resp, text := r.ask("POST", "/approvals/zzzzzzzzzz", `{"decision":"approve"}`, as(page))
	assert.Equal(t, 404, resp.StatusCode)
	assert.Contains(t, text, "no plan waits under that id")
	assert.Equal(t, approval.Pending, ledger.List()[0].State)
	without := start(t)
	resp, _ = without.ask("GET", "/approvals", nil)
	assert.Equal(t, 404, resp.StatusCode, "an instance without a ledger has no such route")
}

func TestThatAPersonCanBeAskedIsNotTakenOnTrust(t *testing.T) {
	r := start(t)
	_, page := r.signIn()
	for name, tt := range map[string]struct {
		credential, person string
		believed           bool
	}{
		"the token":                    {r.self.Token.Header(), "", false},
		"the token and the person key": {r.self.Token.Header(), r.person.Header(), true},
		"the token twice":              {r.self.Token.Header(), r.self.Token.Header(), false},
		"the token and another key":    {r.self.Token.Header(), wire.NewToken().Header(), false},
		"a page":                       {page, "", true},
	} {
		resp, body := r.ask("POST", "/tools/get-schema", wire.Request{Client: wire.Client{Elicitation: true}, RequestState: "made up",
			InputResponses: json.RawMessage(`{"confirm":{"action":"accept"}}`)}, as(tt.credential), with(wire.PersonHeader, tt.person))
		require.Equal(t, 200, resp.StatusCode, name)
		var call struct{ Client tools.Client }
		require.NoError(t, json.Unmarshal([]byte(lines(t, body)[0].Result.Content[0]), &call))
		assert.Equal(t, tt.believed, call.Client.Elicitation, name)
	}
}
