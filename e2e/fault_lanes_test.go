package e2e

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless are queries that keep a database at work until they are cancelled.
var endless = map[string]string{
	"sqlite":   "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d) SELECT count(*) FROM d WHERE n < 0",
	"postgres": "SELECT count(*) FROM generate_series(1, 1000000000000)",
	"mysql":    "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 900) SELECT COUNT(*) FROM d a, d b, d c, d e WHERE a.n + b.n + c.n + e.n < 0",
}

// occupied sends n endless queries and returns what cancels them and waits.
func (a *agent) occupied(root, query string, n int) (free func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() { _, _ = a.try(ctx, root, "run-query", map[string]any{"query": query}) })
	}
	return func() {
		cancel()
		within(a.t, "the end of cancelled queries", calls.Wait)
	}
}

// atWork counts the queries that the database is at work on, as far as it
// tells: a SQLite file's computes in the instance itself.
func (s servedDatabase) atWork(in *instance) int {
	switch s.dialect {
	case "postgres":
		return s.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'berth' AND state = 'active'")
	case "mysql":
		return s.count("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND COMMAND = 'Execute'")
	}
	if busy(in) {
		return 1
	}
	return 0
}

// timed is a call's answer and how long it took.
func (a *agent) timed(root, tool string, args map[string]any) (answer, time.Duration) {
	a.t.Helper()
	start := time.Now()
	got := a.ask(root, tool, args)
	return got, time.Since(start)
}

// quick is how long a short query takes: the median of a few.
func (a *agent) quick(root string) time.Duration {
	a.t.Helper()
	var times []time.Duration
	for range 9 {
		got, took := a.timed(root, "run-query", map[string]any{"query": "SELECT 1 AS one"})
		require.False(a.t, got.isError, got.items)
		times = append(times, took)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// noise is what a busy machine adds to a call of milliseconds, and tooLong is
// what no machine makes of one that waits behind nobody. Behind slow queries calls
// waited for 30 s. The benchmark BenchmarkLanes has the ratios themselves.
const (
	noise   = 2 * time.Second
	tooLong = 10 * time.Second
)

func TestAQuickCallWaitsBehindNoSlowQueries(t *testing.T) {
	long.Thoroughly(t)
	for dialect, slow := range endless {
		t.Run(dialect, func(t *testing.T) {
			w := newWorld(t)
			served := dialects[dialect](t, w)
			root := served.root
			in := w.serve(root)
			quick, slower := w.agent(), w.agent()
			require.True(t, quick.design(root, map[string]any{"operation": "show"}).Success)
			alone := quick.quick(root)
			for _, n := range []int{4, 16} {
				free := slower.occupied(root, slow, n)
				require.Eventually(t, func() bool { return served.atWork(in) >= 1 }, patience, 10*time.Millisecond, "they are under way")
				beside := quick.quick(root)
				free()
				t.Logf("alone %v, beside %d slow ones %v", alone, n, beside)
				assert.Less(t, beside, 2*alone+noise, "beside %d", n)
			}

			free := slower.occupied(root, slow, 64)
			defer free()
			var full answer
			require.Eventually(t, func() bool {
				got, took := quick.timed(root, "run-query", map[string]any{"query": "SELECT 1 AS one"})
				assert.Less(t, took, tooLong)
				full = got
				return got.isError
			}, patience, time.Millisecond, "all places are taken")
			assert.True(t, strings.HasPrefix(full.text(), "overloaded: "), full.text())
			assert.Contains(t, full.text(), slow[:20], "it names what runs")
			for tool, args := range map[string]map[string]any{
				"get-tables": {}, "get-database-type": {}, "list-connections": {}, designer: {"operation": "show"},
				"fs_list_entries": {}, "get-schema": {"tableName": "no_such"},
			} {
				_, took := quick.timed(root, tool, args)
				assert.Less(t, took, tooLong, "%s is no query", tool)
			}
			_, took := slower.timed(root, "fs_list_entries", map[string]any{})
			assert.Less(t, took, tooLong, "the front-end that sent the queries has room for other calls")
		})
	}
}

func TestTooManySlowCallsAreAnsweredInWords(t *testing.T) {
	long.Thoroughly(t)
	w := newWorld(t)
	root := dialects["sqlite"](t, w).root
	w.serve(root)
	a := w.agent()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	replies := make(chan answer, 1100)
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()
	for range cap(replies) {
		calls.Go(func() {
			got, err := a.try(ctx, root, "run-query", map[string]any{"query": endless["sqlite"]})
			if err == nil {
				replies <- got
			}
		})
	}
	overloaded := 0
	for range 900 { // the others may be at work yet
		got := receive(t, replies, "one of 1,100 slow calls")
		assert.True(t, got.isError, got.items)
		if strings.HasPrefix(got.text(), "overloaded: ") {
			overloaded++
		}
	}
	assert.Greater(t, overloaded, 800, "a machine that is busy may fail to prove itself in time to a few")
	got, took := a.timed(root, "fs_list_entries", map[string]any{})
	assert.False(t, got.isError, got.items)
	assert.Less(t, took, tooLong)
}
