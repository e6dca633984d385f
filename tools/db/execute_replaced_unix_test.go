//go:build unix

// An open file cannot be replaced on Windows.

package db

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// TestAReplacedFileIsWrittenTo: git checkout, a restore and migration tools
// put another file in the place of the database.
func TestAReplacedFileIsWrittenTo(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a)")
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "app", Path: "app.db", AllowWrites: true}}})
	r := c.executeCall(t.Context(), "INSERT INTO t VALUES (1)")
	require.False(t, r.IsError, r.Content)
	for round := range 3 {
		next := dbtest.SQLite(t, root, "next.db", "CREATE TABLE t (a); INSERT INTO t VALUES (10), (20), (30)")
		require.NoError(t, os.Rename(next, filepath.Join(root, "app.db")))
		r = c.executeCall(t.Context(), "INSERT INTO t VALUES (40)")
		require.False(t, r.IsError, "round %d: %v", round, r.Content)
		assert.Contains(t, ask(t, c, "SELECT sum(a) FROM t").Content[0], `"rows":[[100]]`)
		r = c.executeCall(t.Context(), "SELECT count(*) FROM t")
		assert.Contains(t, r.Content[0], `"rows":[[4]]`, "what the writer reads is the new file too")
	}
}
