package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tryEdit is apply_edits for use from goroutines.
func tryEdit(a *agent, root, version string, list ...map[string]any) (reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := a.try(ctx, root, designer, edits(version, list...))
	if err != nil {
		return reply{}, err
	}
	var r reply
	err = json.Unmarshal([]byte(got.text()), &r)
	r.text = got.text()
	return r, err
}

func TestParallelCallsAreEachAnsweredByTheirOwnDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.agent()
	const projects, rounds = 4, 100
	roots := make([]string, projects)
	for i := range roots {
		roots[i] = w.project(fmt.Sprint("p", i), fmt.Sprintf("CREATE TABLE only_in_%d (who TEXT); INSERT INTO only_in_%d VALUES ('project %d')", i, i, i))
		w.serve(roots[i])
	}
	var wg sync.WaitGroup
	for i, root := range roots {
		for range rounds {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				got, err := client.try(ctx, root, "run-query", map[string]any{"query": fmt.Sprintf("SELECT who FROM only_in_%d", i)})
				if assert.NoError(t, err) {
					assert.Contains(t, got.text(), fmt.Sprintf("project %d", i), strings.Join(got.items, "; "))
				}
			})
		}
	}
	wg.Wait()
}

func TestHungInstanceDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hung, well := w.project("hung", twoTables), w.project("well", twoTables)
	stuck := w.serve(hung)
	w.serve(well)
	client := w.agent()
	require.Equal(t, `["customer","purchase"]`, client.ask(hung, "get-tables", nil).text())
	freeze(t, stuck)

	// The calls to the hung one end by themselves, some after half a second, and
	// on a busy machine others take as long. So a round counts in which none had ended
	// when all of the others were answered; if they held the others up, none would.
	overtaken := func() bool {
		waiting, release := context.WithCancel(context.Background())
		var hanging sync.WaitGroup
		defer hanging.Wait()
		defer release()
		var began, ended atomic.Int32
		for range 8 {
			hanging.Go(func() {
				began.Add(1)
				_, _ = client.try(waiting, hung, "get-tables", nil)
				ended.Add(1)
			})
		}
		require.Eventually(t, func() bool { return began.Load() == 8 }, patience, time.Millisecond)
		for range 10 {
			require.Equal(t, `["customer","purchase"]`, client.ask(well, "get-tables", nil).text())
		}
		return ended.Load() == 0
	}
	for deadline := time.Now().Add(patience); !overtaken(); {
		require.True(t, time.Now().Before(deadline), "calls to the well instance waited for calls to the hung one")
	}
}

func TestHungInstanceIsReportedOnANewConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	freeze(t, in)
	got := w.agent().ask(root, "get-tables", nil)
	assert.True(t, got.isError)
	assert.Equal(t, "Could not establish database connection", got.text())
	state := w.berth("ls", "--json")
	assert.Equal(t, 0, state.code, state.stderr)
}

func TestInstanceRestartedOnAnotherPortIsReachedByTheNextCall(t *testing.T) {
	w := newWorld(t)
	root := w.project("app", twoTables)
	client := w.agent()
	first := w.serve(root)
	require.False(t, client.ask(root, "get-tables", nil).isError)
	first.stop()
	w.occupy(first.Port)
	second := w.serve(root)
	require.NotEqual(t, first.Port, second.Port)
	assert.Equal(t, `["customer","purchase"]`, client.ask(root, "get-tables", nil).text())

	second.kill() // and on the same port after a crash
	third := w.serve(root)
	require.Equal(t, second.Port, third.Port)
	assert.Equal(t, `["customer","purchase"]`, client.ask(root, "get-tables", nil).text())
}

func TestCrashOfAnInstanceNeverTakesTheFrontEndDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, other := w.project("app", twoTables), w.project("other", twoTables)
	in := w.serve(root)
	w.serve(other)
	client := w.agent()
	slow := make(chan answer, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		got, err := client.try(ctx, root, "run-query", map[string]any{
			"query": "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c"})
		assert.NoError(t, err)
		slow <- got
	}()
	require.Eventually(t, func() bool { return busy(in) }, patience, 20*time.Millisecond)
	in.kill()
	got := receive(t, slow, "the slow query's answer")
	assert.True(t, got.isError)
	// A call that only reads is tried once more, and finds nobody there.
	assert.Equal(t, "MCP server not running for project: "+root, got.text())
	assert.Equal(t, `["customer","purchase"]`, client.ask(other, "get-tables", nil).text())
}

func TestCancelledQueryIsInterruptedInTheDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	client := w.agent()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := client.try(ctx, root, "run-query", map[string]any{
			"query": "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c"})
		ended <- err
	}()
	require.Eventually(t, func() bool { return busy(in) }, patience, 20*time.Millisecond)
	cancel()
	require.Error(t, receive(t, ended, "the cancelled call"))
	assert.Eventually(t, func() bool { return !busy(in) }, patience, 50*time.Millisecond, "the runaway query still burns the processor")
	assert.Equal(t, `["customer","purchase"]`, client.ask(root, "get-tables", nil).text())
}
