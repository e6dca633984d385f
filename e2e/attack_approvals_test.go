package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clientAnswer is how a client answers a question without a person having
// chosen anything, and what the agent reads then.
type clientAnswer struct {
	result mcp.ElicitResult
	told   string
}

// clientAnswers are those of real clients. None of them approves.
var clientAnswers = map[string]clientAnswer{
	"Claude Code, unattended":      {mcp.ElicitResult{Action: "cancel"}, "the client answered cancel"},
	"codex exec":                   {mcp.ElicitResult{Action: "decline"}, "the client answered decline"},
	"a form that is only accepted": {mcp.ElicitResult{Action: "accept"}, "the client answered accept without a choice"},
	"VS Code's Respond":            {mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, "the client answered accept without a choice"},
	"another word":                 {mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "yes"}}, "the client answered accept without a choice"},
}

// answering is an agent whose client gives one answer to every question, as
// it is: the library would check it against the form first. questions
// collects what was asked.
func (w *world) answering(version string, with mcp.ElicitResult, questions *[]*mcp.ElicitParams) *agent {
	w.t.Helper()
	answer := func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		*questions = append(*questions, req.Params)
		given := with
		return &given, nil
	}
	cmd := exec.Command(binary, "mcp")
	cmd.Env = w.env
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: answer})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if asked, ok := req.(*mcp.ElicitRequest); ok {
				return answer(ctx, asked)
			}
			return next(ctx, method, req)
		}
	})
	return w.connected(client, cmd, &mcp.ClientSessionOptions{ProtocolVersion: version})
}

// refusal is what every tool answers where a call was not allowed.
type refusal struct {
	Success      *bool  `json:"success"`
	Reason       string `json:"reason"`
	Message      string `json:"message"`
	PlanID       string `json:"planId"`
	PlanArgument string `json:"planArgument"`
	URL          string `json:"url"`
	ExpiresAt    string `json:"expiresAt"`
}

func readRefusal(t *testing.T, got answer) refusal {
	t.Helper()
	assert.True(t, got.isError, "isError: %s", got.text())
	var r refusal
	require.NoError(t, json.Unmarshal([]byte(got.text()), &r), got.text())
	require.NotNil(t, r.Success, got.text())
	assert.False(t, *r.Success)
	return r
}

// waits checks a refusal that filed a plan.
func (r refusal) waits(t *testing.T, in *instance, argument string) {
	t.Helper()
	assert.Equal(t, "approval_required", r.Reason)
	assert.NotEmpty(t, r.PlanID)
	assert.Equal(t, argument, r.PlanArgument)
	assert.Equal(t, in.URL, r.URL)
	until, err := time.Parse(time.RFC3339, r.ExpiresAt)
	assert.NoError(t, err, "with its zone")
	assert.WithinDuration(t, time.Now().Add(10*time.Minute), until, 2*time.Minute)
	assert.Contains(t, r.Message, fmt.Sprintf("%s: %q", argument, r.PlanID))
	assert.NotContains(t, r.Message, "person declined")
}

// publishing is a deed of the designer.
func publishing(t *testing.T, w *world) guardedAction {
	root := w.project("app", twoTables)
	return guardedAction{root: root, tool: designer, shown: "Publish 1 change", args: map[string]any{"operation": "publish"},
		done: func() (n int) {
			db, err := sql.Open("sqlite", filepath.Join(root, "app.db"))
			require.NoError(t, err)
			require.NoError(t, db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'smuggled'").Scan(&n))
			require.NoError(t, db.Close())
			return n
		}}
}

// prepare makes what a deed needs of a design.
func (d guardedAction) prepare(t *testing.T, a *agent) {
	if d.tool != designer {
		return
	}
	version := a.design(d.root, map[string]any{"operation": "show"}).Version
	require.True(t, a.design(d.root, edits(version, addTable("smuggled"))).Success)
}

// planIn names the plan among the arguments, in the tool's own way.
func (d guardedAction) planIn(id string) (argument string, args map[string]any) {
	if d.tool == designer {
		return "payload.planId", with(d.args, "payload", map[string]any{"planId": id})
	}
	return "plan_id", with(d.args, "plan_id", id)
}

func TestOnlyAChosenApproveApproves(t *testing.T) {
	for what, make := range map[string]func(t *testing.T, w *world) guardedAction{
		"execute-sql":  func(t *testing.T, w *world) guardedAction { return statement(t, w, "sqlite") },
		"fs_edit_file": fileEdit,
		"publish":      publishing,
	} {
		for _, version := range []string{"2026-07-28", "2025-11-25"} {
			t.Run(what+"/"+version, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				d := make(t, w)
				in := w.serve(d.root)
				d.prepare(t, w.agent())
				for client, given := range clientAnswers {
					if version == "2026-07-28" && given.result.Content != nil {
						continue // the library's client checks the form itself
					}
					d.mustFile(t, w, in, version, client, given)
				}
				d.approvedByChoice(t, w, version)
			})
		}
	}
}

// mustFile plays a client that approves nothing: the call is filed, and goes
// through once a person approved it at the page.
func (d guardedAction) mustFile(t *testing.T, w *world, in *instance, version, client string, given clientAnswer) {
	t.Helper()
	var asked []*mcp.ElicitParams
	agent := w.answering(version, given.result, &asked)
	before := d.done()
	got := agent.ask(d.root, d.tool, d.args)
	require.Equal(t, before, d.done(), "%s: nothing may be done: %s", client, got.text())
	require.Len(t, asked, 1, client)
	d.mustBeAQuestion(t, asked[0])
	r := readRefusal(t, got)
	argument, args := d.planIn(r.PlanID)
	r.waits(t, in, argument)
	assert.Contains(t, r.Message, given.told, client)
	still := readRefusal(t, agent.ask(d.root, d.tool, args))
	assert.Equal(t, r.PlanID, still.PlanID, "%s: it waits under the same id", client)
	assert.Len(t, asked, 1, "%s: a call with its plan's id asks nobody", client)
	page := map[string]string{"Authorization": w.signIn(in)}
	status, body := request(t, in, "POST", "/approvals/"+r.PlanID, `{"decision":"reject"}`, page)
	require.Equal(t, 200, status, body)
	no := readRefusal(t, agent.ask(d.root, d.tool, args))
	assert.Equal(t, "declined", no.Reason, "%s: %s", client, no.Message)
	require.Equal(t, before, d.done(), client)
}

// mustBeAQuestion checks that a form names the project first and has one
// choice, of which none is made yet.
func (d guardedAction) mustBeAQuestion(t *testing.T, asked *mcp.ElicitParams) {
	t.Helper()
	first, _, _ := strings.Cut(asked.Message, "\n")
	assert.True(t, strings.HasPrefix(first, filepath.Base(d.root)+": "), "the project first: %q", asked.Message)
	lines := strings.SplitN(asked.Message, "\n", 4)
	head := strings.Join(lines[:min(3, len(lines))], "\n")
	assert.Contains(t, head, strings.TrimSpace(d.shown), "the substance in the first three lines")
	form, err := json.Marshal(asked.RequestedSchema)
	require.NoError(t, err)
	var schema struct {
		Properties map[string]struct {
			Enum    []string
			Default any
		}
		Required []string
	}
	require.NoError(t, json.Unmarshal(form, &schema))
	require.Len(t, schema.Properties, 1, "%s", form)
	require.Equal(t, []string{"decision"}, schema.Required)
	assert.Equal(t, []string{"approve", "reject"}, schema.Properties["decision"].Enum)
	assert.Nil(t, schema.Properties["decision"].Default, "a yes is a choice")
}

// approvedByChoice plays a person who rejects in the form, then approves.
func (d guardedAction) approvedByChoice(t *testing.T, w *world, version string) {
	t.Helper()
	var asked []*mcp.ElicitParams
	choice := func(word string) mcp.ElicitResult {
		return mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": word}}
	}
	before := d.done()
	no := readRefusal(t, w.answering(version, choice("reject"), &asked).ask(d.root, d.tool, d.args))
	assert.Equal(t, "declined", no.Reason)
	assert.Empty(t, no.PlanID, "what was rejected is not filed")
	require.Equal(t, before, d.done())
	yes := w.answering(version, choice("approve"), &asked).ask(d.root, d.tool, d.args)
	assert.False(t, yes.isError, yes.text())
	assert.Equal(t, before+1, d.done())
}

// An agent that files and files takes no room from another.
func TestNoAgentShutsTheQueueForAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := statement(t, w, "sqlite")
	in := w.serve(d.root)
	honest, hostile := w.agent(), w.agent()
	file := func(a *agent, n int) refusal {
		return readRefusal(t, a.ask(d.root, d.tool, map[string]any{"statement": fmt.Sprintf("DELETE FROM boats WHERE id = %d", n)}))
	}
	first := file(honest, 1)
	require.NotEmpty(t, first.PlanID, first.Message)
	for n := range 40 {
		require.NotEmpty(t, file(hostile, 100+n).PlanID, "plan %d", n)
	}
	second := file(honest, 2)
	require.NotEmpty(t, second.PlanID, second.Message)
	waiting := shell{scene: &scene{world: w, t: t, guardedAction: d, in: in}, token: w.token(in)}.waiting()
	assert.Len(t, waiting, 8+2)
	assert.Contains(t, waiting, first.PlanID)
	assert.Contains(t, waiting, second.PlanID)
}

// Two projects whose folders have one name are told apart by their paths.
func TestAQuestionNamesTheProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := statement(t, w, "sqlite")
	w.serve(d.root)
	ask := func() string {
		var asked []*mcp.ElicitParams
		w.answering("2026-07-28", mcp.ElicitResult{Action: "cancel"}, &asked).ask(d.root, d.tool, d.args)
		require.Len(t, asked, 1)
		first, _, _ := strings.Cut(asked[0].Message, "\n")
		return first
	}
	assert.True(t, strings.HasPrefix(ask(), filepath.Base(d.root)+": Run this"), ask())
	w.serve(w.project(filepath.Join("others", filepath.Base(d.root)), twoTables))
	assert.True(t, strings.HasPrefix(ask(), filepath.Base(d.root)+" ("+d.root+"): Run this"), ask())
}

// A form that a client would cut after its third line is not offered: its
// person could only say yes to what they do not see.
func TestAQuestionThatIsCutIsNotAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", "")
	in := w.serve(root)
	var asked []*mcp.ElicitParams
	agent := w.answering("2025-11-25", mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve"}}, &asked)
	lines := strings.Repeat("one more line\n", 12)
	got := agent.ask(root, "fs_edit_file", map[string]any{"path": "new.txt", "version": "none",
		"edits": []any{map[string]any{"old_text": "", "new_text": lines}}})
	assert.Empty(t, asked)
	r := readRefusal(t, got)
	r.waits(t, in, "plan_id")
	assert.Contains(t, r.Message, "more than a client's form shows whole")
	assert.NoFileExists(t, filepath.Join(root, "new.txt"))
	page := map[string]string{"Authorization": w.signIn(in)}
	_, body := request(t, in, "GET", "/approvals/"+r.PlanID, "", page)
	var e struct {
		Files []struct {
			Path          string
			Before, After *struct{ Version, Text string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &e), body)
	require.Len(t, e.Files, 1, body)
	assert.Equal(t, "new.txt", e.Files[0].Path)
	assert.Nil(t, e.Files[0].Before, "it is created")
	require.NotNil(t, e.Files[0].After)
	assert.Equal(t, lines, e.Files[0].After.Text)
}
