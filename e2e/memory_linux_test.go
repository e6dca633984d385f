//go:build linux && !race

package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// resident reads what a process keeps in memory, and the most it ever kept
// since resetPeak, in MiB.
func resident(t *testing.T, pid int) (now, peak int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kib, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			now = kib >> 10
		case "VmHWM":
			peak = kib >> 10
		}
	}
	require.Positive(t, now)
	require.Positive(t, peak)
	return now, peak
}

func resetPeak(t *testing.T, pid int) {
	t.Helper()
	require.NoError(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0o200))
}

// rowLimit is the longest row that an instance reads from a server, in MiB.
const rowLimit = 64

func TestLargeAnswersLeaveNoMemoryBehind(t *testing.T) {
	long.Thoroughly(t)
	for dialect, work := range map[string]map[string]string{
		"postgres": {
			"a cell of 50 MB":  "SELECT c FROM large",
			"a result of 1 GB": "SELECT n, repeat('x', 1000) AS c FROM generate_series(1, 1000000) n",
		},
		"mysql": {
			"a row of 50 MB":   "SELECT repeat('x', 10000000) AS a, repeat('x', 10000000) AS b, repeat('x', 10000000) AS c, repeat('x', 10000000) AS d, repeat('x', 10000000) AS e",
			"a result of 1 GB": "SELECT repeat('x', 1000) AS c FROM information_schema.COLUMNS a, information_schema.COLUMNS b LIMIT 1000000",
		},
		"sqlite": {
			"a cell of 3 MB":   "SELECT hex(zeroblob(1500000)) AS c",
			"a result of 1 GB": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r LIMIT 1000000) SELECT n, hex(zeroblob(500)) FROM r",
		},
	} {
		t.Run(dialect, func(t *testing.T) {
			w := newWorld(t)
			s := dialects[dialect](t, w)
			if dialect == "postgres" {
				s.exec("CREATE TABLE large AS SELECT repeat('x', 50000000) AS c")
			}
			pid := w.serve(s.root).PID
			a := w.agent()
			first := a.ask(s.root, "run-query", map[string]any{"query": "SELECT 1 AS x"})
			require.False(t, first.isError, first.text())
			idle, _ := resident(t, pid)
			for name, query := range work {
				resetPeak(t, pid)
				var wg sync.WaitGroup
				for range 4 {
					wg.Go(func() {
						got := a.ask(s.root, "run-query", map[string]any{"query": query})
						assert.False(t, got.isError, got.text())
					})
				}
				wg.Wait()
				_, peak := resident(t, pid)
				assert.LessOrEqual(t, peak, idle+4*rowLimit, "the most, while four calls read %s", name)
				last := 0
				assert.Eventually(t, func() bool { last, _ = resident(t, pid); return last <= idle+50 }, 10*time.Second, 200*time.Millisecond, name)
				t.Logf("four times %s: idle %d MiB, at most %d, then %d", name, idle, peak, last)
			}
		})
	}
}
