package db

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Queries that do not end by themselves in good time.
const (
	runaway      = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
	runawayLater = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x < 3 OR x < 0"
	hexes        = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(length(hex(hex(zeroblob(1000000))))) FROM c"
	// deaf is one step of a second or so, in which SQLite does not look up.
	deaf = "SELECT instr(zeroblob(400000), CAST(zeroblob(200000) AS BLOB) || x'01')"
)

// cancelled asks, cancels and returns the reply.
func cancelled(t *testing.T, c testProject, arguments string) tools.Reply {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	replied := make(chan tools.Reply, 1)
	go func() { replied <- c.call(ctx, "run-query", arguments) }()
	select {
	case r := <-replied:
		require.Fail(t, "the query ended by itself", "%v", r)
	case <-time.After(100 * time.Millisecond): // it is well under way
	}
	cancel()
	select {
	case r := <-replied:
		return r
	case <-time.After(time.Minute):
		require.Fail(t, "no reply after the cancel")
		return tools.Reply{}
	}
}

// How soon after the cancel the reply comes is in pool's tests, by a clock of
// their own.
func TestACancelledQueryIsAnsweredWithoutItsEnd(t *testing.T) {
	for _, tt := range []struct{ name, query string }{
		{"a runaway recursion", runaway},
		{"a runaway after its first rows", runawayLater},
		{"long steps", hexes},
		{"a step that does not look at the interrupt", deaf},
	} {
		for _, toFile := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, to file %v", tt.name, toFile), func(t *testing.T) {
				c := project(t, shop, settings{})
				r := cancelled(t, c, args(map[string]any{"query": tt.query, "toFile": toFile}))
				assert.Equal(t, tools.Reply{Content: []string{"the query was cancelled"}, IsError: true, Reason: "cancelled"}, r)
				r = ask(t, c, "SELECT 1")
				assert.False(t, r.IsError, "the next query is answered: %v", r.Content)
				_ = c.Close() // what no caller waited for may still run
			})
		}
	}
}

func TestAStatementHasATimeLimit(t *testing.T) {
	c := project(t, shop, settings{Connections: []pool.Config{{Name: "app", Path: "app.db", Timeout: 50 * time.Millisecond}}})
	r := ask(t, c, runaway)
	assert.Equal(t, tools.Reply{Content: []string{
		"the statement was ended after its time limit of 50ms; ask for less, or raise timeout in the project's settings"}, IsError: true, Reason: "timeout"}, r)
}

func TestCloseEndsWhatRuns(t *testing.T) {
	c := project(t, shop, settings{})
	replied := make(chan tools.Reply, 1)
	go func() { replied <- c.call(context.Background(), "run-query", args(map[string]any{"query": runaway})) }()
	require.Never(t, func() bool { return len(replied) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	require.NoError(t, c.Close())
	assert.Equal(t, []string{"the project is closing"}, (<-replied).Content)
	assert.Equal(t, []string{"the project is closing"}, ask(t, c, "SELECT 1").Content)
}
