package db

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASearchThatWasCutSaysSoWhereFilesAreMissed(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a", "a/b", "a/b/c"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o700))
	}
	writeDB(t, root, "a/b/c/deep.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{})
	c.finder.Entries = 4
	const cut = "The search for SQLite files stopped after 4 files and folders, so there may be more: name a database that is missing here in .berth/config.yaml"

	none := c.call(t.Context(), "run-query", args(map[string]any{"query": "SELECT 1"}))
	require.Len(t, none.Content, 2)
	assert.Contains(t, none.Content[1], cut, "the tool's error")
	listed := c.call(t.Context(), "list-connections", args(map[string]any{}))
	require.Len(t, listed.Content, 2)
	assert.Equal(t, "[]", listed.Content[0])
	assert.Contains(t, listed.Content[1], cut)
	unknown := c.call(t.Context(), "get-tables", args(map[string]any{"connection": "deep.db"}))
	assert.Contains(t, unknown.Content[0], cut)
}
