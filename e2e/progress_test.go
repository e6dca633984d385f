package e2e

import (
	"context"
	"database/sql"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// locked holds a lock of a table until it is released.
func (s servedDatabase) locked(table string) (release func()) {
	s.t.Helper()
	tx, err := s.db.Begin()
	require.NoError(s.t, err)
	_, err = tx.Exec("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE")
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = tx.Rollback() })
	return func() {
		if err := tx.Rollback(); err != nil && err != sql.ErrTxDone {
			assert.NoError(s.t, err)
		}
	}
}

// Whatever takes longer than two seconds is heard of: each call waits for a lock
// that is given back once progress has come, so it succeeds only if it does.
func TestWhatTakesLongReportsProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := dialects["postgres"](t, w)
	s.exec("CREATE TABLE slow (id integer PRIMARY KEY, note text)")
	in := w.serve(s.root)
	heard := make(chan *mcp.ProgressNotificationParams, 1024)
	opts := &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { heard <- req.Params },
	}
	cmd := exec.Command(binary, "mcp")
	cmd.Env = w.env
	stdio := w.connected(mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, opts), cmd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	http := w.atInstance(in, opts)

	shown := stdio.design(s.root, map[string]any{"operation": "show"})
	require.True(t, shown.Success, shown.text)
	edited := stdio.design(s.root, edits(shown.Version, map[string]any{"op": "set_column", "table": map[string]any{"name": "slow"},
		"column": map[string]any{"name": "note"}, "set": map[string]any{"name": "remark"}}))
	require.True(t, edited.Success, edited.text)

	for _, step := range []struct {
		name, table, tool string
		agent             *agent
		args              map[string]any
	}{
		{"a query", "slow", "run-query", stdio, map[string]any{"query": "SELECT count(*) FROM slow"}},
		{"a query at /mcp", "slow", "run-query", http, map[string]any{"query": "SELECT count(*) FROM slow"}},
		{"a search", "pg_catalog.pg_class", "search-schema", stdio, map[string]any{"pattern": "slow", "detail": "full"}},
		{"a trial", "pg_catalog.pg_class", designer, stdio, map[string]any{"operation": "verify"}},
	} {
		release := s.locked(step.table)
		params := &mcp.CallToolParams{Name: step.tool, Arguments: with(step.args, "projectRoot", s.root)}
		params.SetProgressToken("token of " + step.name)
		type outcome struct {
			res *mcp.CallToolResult
			err error
		}
		done := make(chan outcome, 1)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		go func() {
			res, err := step.agent.session.CallTool(ctx, params)
			done <- outcome{res, err}
		}()
		last := -1.
		for range 2 {
			select {
			case p := <-heard:
				assert.Equal(t, "token of "+step.name, p.ProgressToken)
				assert.Greater(t, p.Progress, last, "%s: progress grows", step.name)
				assert.NotEmpty(t, p.Message, step.name)
				last = p.Progress
			case got := <-done:
				require.Fail(t, "it ended unheard", "%s: %v %+v", step.name, got.err, got.res)
			}
		}
		release()
		got := <-done
		cancel()
		require.NoError(t, got.err, step.name)
		assert.False(t, got.res.IsError, "%s: %v", step.name, texts(got.res))
		for len(heard) > 0 {
			<-heard
		}
	}
}

// A publish is tried before a person is asked, and again before it is made. All
// of it counts under the one token of the call.
func TestAPublishReportsItsTrialBeforeAPersonIsAskedAndCountsOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", twoTables)
	w.serve(root)
	heard := make(chan *mcp.ProgressNotificationParams, 1024)
	opts := &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { heard <- req.Params },
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			heard <- &mcp.ProgressNotificationParams{Message: "the question"}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve"}}, nil
		},
	}
	cmd := exec.Command(binary, "mcp")
	cmd.Env = w.env
	agent := w.connected(mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, opts), cmd, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	shown := agent.design(root, map[string]any{"operation": "show"})
	edited := agent.design(root, edits(shown.Version, map[string]any{"op": "add_column", "table": map[string]any{"name": "customer"},
		"column": map[string]any{"name": "phone", "dataType": "TEXT", "isNullable": true}}))
	require.True(t, edited.Success, edited.text)
	params := &mcp.CallToolParams{Name: designer, Arguments: map[string]any{"projectRoot": root, "operation": "publish"}}
	params.SetProgressToken("a publish")
	res, err := agent.session.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.False(t, res.IsError, texts(res))
	var order []string
	for last := -1.; !slices.Contains(order, "published"); {
		p := <-heard
		if p.Message == "the question" {
			order = append(order, p.Message)
			continue
		}
		assert.Greater(t, p.Progress, last, "%v", p)
		assert.LessOrEqual(t, p.Progress, p.Total, "%v", p)
		last = p.Progress
		word, _, _ := strings.Cut(p.Message, ":")
		if p.Message == "" && slices.Contains(order, "publishing") {
			word = "published"
		}
		if word != "" && !(len(order) > 0 && order[len(order)-1] == word) {
			order = append(order, word)
		}
	}
	assert.Equal(t, []string{"trying", "the question", "trying", "publishing", "published"}, order)
}
