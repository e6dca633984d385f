package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// An instance is killed at a random moment of a stream of edits, over and
// over. Whatever it acknowledged is there after the restart, with the version
// it acknowledged; at most the one edit in flight may be there besides.
func TestAcknowledgedEditsSurviveSIGKILL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dice := long.Dice(t)
	root := w.project("app", twoTables)
	client := w.agent()
	in := w.serve(root)
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	version := client.design(root, map[string]any{"operation": "get_overview"}).Version
	added, acknowledged := 0, 0

	rounds := long.Rounds(25, 200)
	for round := range rounds {
		killer := time.AfterFunc(time.Duration(dice.IntN(100))*time.Millisecond, func() { _ = in.cmd.Process.Kill() })
		inFlight := ""
		for {
			added++
			name := fmt.Sprintf("c%d", added)
			r, err := tryEdit(client, root, version, map[string]any{
				"op": "add_column", "table": map[string]any{"name": "customer"},
				"column": map[string]any{"name": name, "dataType": "TEXT"}})
			if err != nil || !r.Success {
				inFlight = name
				break
			}
			version = r.Version
			acknowledged++
		}
		killer.Stop()
		in.kill()
		in = w.serve(root)

		// The active designer is active again: no show.
		table := client.ask(root, designer, map[string]any{"operation": "get_table",
			"payload": map[string]any{"table": map[string]any{"name": "customer"}},
			"options": map[string]any{"columns": []string{inFlight}}})
		now := client.design(root, map[string]any{"operation": "get_overview", "options": map[string]any{"includeColumns": "none"}})
		require.True(t, now.Success, "round %d: %s", round, now.text)
		if now.Version != version {
			require.Contains(t, table.text(), inFlight, "round %d: version %s is neither the acknowledged %s nor that of the edit in flight", round, now.Version, version)
			undone := client.design(root, map[string]any{"operation": "undo"})
			require.True(t, undone.Success, undone.text)
			require.Equal(t, version, undone.Version, "round %d: without the edit in flight the acknowledged version is there", round)
		}
		if round%10 == 9 { // keep the table narrow: undo what this stretch added
			for range 3 {
				undone := client.design(root, map[string]any{"operation": "undo"})
				require.True(t, undone.Success, undone.text)
				version = undone.Version
			}
		}
	}
	t.Logf("%d edits acknowledged over %d kills", acknowledged, rounds)
	assert.Positive(t, acknowledged)
}
