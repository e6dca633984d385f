package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

const manyRows = `
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
INSERT INTO customer (name) SELECT 'customer ' || i FROM n;`

// An instance is killed while a plan is tried on a copy of the rows. The copy
// lies in berth's own folder, and the next start removes it.
func TestNoCopyOfRowsOutlivesAKillAndAStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	temp := filepath.Join(w.dir, "tmp")
	require.NoError(t, os.Mkdir(temp, 0o700))
	w.env = append(w.env, "TMPDIR="+temp)
	root := w.project("app", manyRows)
	client := w.agent()
	in := w.serve(root)
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	version := client.design(root, map[string]any{"operation": "get_overview"}).Version
	r, err := tryEdit(client, root, version, map[string]any{"op": "set_column", "table": map[string]any{"name": "customer"},
		"column": map[string]any{"name": "name"}, "set": map[string]any{"dataType": "VARCHAR"}})
	require.NoError(t, err)
	require.True(t, r.Success, r.text)

	copies := func(dir string) []string {
		found, err := filepath.Glob(filepath.Join(dir, "berth-verify-*"))
		require.NoError(t, err)
		return found
	}
	own := filepath.Join(w.home, "copies", "*")
	rounds := long.Rounds(2, 30)
	for range rounds {
		cmd := exec.Command(binary, "verify")
		cmd.Env, cmd.Dir = w.env, root
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return len(copies(own))+len(copies(temp)) > 0 }, patience, time.Millisecond, "a copy")
		in.kill()
		_ = cmd.Wait()
		assert.Empty(t, copies(temp), "rows among the system's temporary files")
		in = w.serve(root)
		require.Empty(t, append(copies(own), copies(temp)...), "what a killed process left")
	}
	old := filepath.Join(temp, "berth-verify-123")
	require.NoError(t, os.Mkdir(old, 0o700))
	assert.Contains(t, w.berth("doctor", root).stdout, old, "what an older berth left is named")
	t.Logf("%d kills while a plan was tried", rounds)
}
