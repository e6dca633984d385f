package db

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestAFileThatAKilledWriterLeftIsRolledBackWhenTheDesignerReadsIt(t *testing.T) {
	root := t.TempDir()
	leaveUnfinished(t, dbtest.SQLite(t, root, "busy.db", "CREATE TABLE t (a); INSERT INTO t VALUES ('kept')"), filepath.Join(root, "a.db"))
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "a", Path: "a.db"}, {Name: "ro", Path: "a.db", ReadOnly: true}}})
	r := c.call(t.Context(), "run-query", `{"query":"SELECT a FROM t","connection":"a"}`)
	assert.True(t, r.IsError, "a query never writes: %s", r.Content[0])

	readOnly, err := c.Source(t.Context(), "ro")
	require.NoError(t, err)
	_, err = readOnly.Read(t.Context())
	require.ErrorContains(t, err, "did not finish")

	s, err := c.Source(t.Context(), "a")
	require.NoError(t, err)
	def, err := s.Read(t.Context())
	require.NoError(t, err)
	require.Len(t, def.Tables, 1, "what was begun is taken back")
	assert.Equal(t, "t", def.Tables[0].Name)
	r = c.call(t.Context(), "run-query", `{"query":"SELECT a FROM t","connection":"a"}`)
	assert.Contains(t, r.Content[0], `"rows":[["kept"]]`)
}

// leaveUnfinished copies the database at busy, in the middle of a transaction
// whose pages are partly written, to path: as if its writer had been killed.
func leaveUnfinished(t *testing.T, busy, path string) {
	t.Helper()
	writer, err := sql.Open("sqlite", busy)
	require.NoError(t, err)
	writer.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "CREATE TABLE begun (b)", "UPDATE t SET a = 'lost'",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO begun SELECT printf('%0500d', i) FROM n"} {
		_, err := writer.Exec(statement)
		require.NoError(t, err, statement)
	}
	for _, suffix := range []string{"", "-journal"} {
		raw, err := os.ReadFile(busy + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path+suffix, raw, 0o600))
	}
	require.NoError(t, writer.Close())
	require.NoError(t, os.Remove(busy))
}
