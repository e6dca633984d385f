package e2e

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stopped process keeps its connections open: only asking shows it.
func TestAHungInstanceIsNoticedWithinThreeSeconds(t *testing.T) {
	for tool, c := range map[string]struct {
		args map[string]any
		want string
	}{
		"run-query": {map[string]any{"query": "SELECT 1"}, "Nothing was changed"},
		designer:    {map[string]any{"operation": "undo"}, "outcome unknown: "},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel() // all of it is waiting
			w := newWorld(t)
			root := w.project("app", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
			in := w.serve(root)
			a := w.agent()
			require.False(t, a.ask(root, "get-tables", nil).isError)
			require.False(t, a.ask(root, "run-query", map[string]any{"query": "SELECT 1"}).isError, "queries have connections of their own")
			freeze(t, in)
			got, took := a.timed(root, tool, c.args)
			assert.True(t, got.isError)
			assert.Contains(t, got.text()+got.items[len(got.items)-1], c.want)
			assert.Less(t, took, 4*time.Second, "the bound is 3 s on a machine that is not busy")
			t.Logf("noticed after %v", took)

			listed := w.berth("ls", "--json")
			var list []struct {
				State string `json:"state"`
				PID   *int   `json:"pid"`
			}
			require.NoError(t, json.Unmarshal([]byte(listed.stdout), &list), listed.stderr)
			require.Len(t, list, 1)
			assert.Equal(t, "not answering", list[0].State)
			require.NotNil(t, list[0].PID, "the process is known")
			assert.Equal(t, in.PID, *list[0].PID)
			assert.Contains(t, w.berth("ls").stdout, "not answering")
			assert.Contains(t, w.berth("doctor", root).stdout, "berth stop --force")
		})
	}
}
