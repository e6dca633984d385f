package designs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/designs"
)

func TestFilesThatNoDesignCanBeTakenFromAreFound(t *testing.T) {
	root := t.TempDir()
	problems, read, err := designs.Check(root)
	require.NoError(t, err, "a project need not have designs")
	assert.Empty(t, problems)
	assert.Zero(t, read)

	dir := filepath.Join(root, ".berth", "designs")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder.json"), 0o755))
	for name, text := range map[string]string{
		"main.json":            `{"format": 1, "dialect": "sqlite", "connection": "main", "tables": []}`,
		"merge.json":           "{\n<<<<<<< HEAD\n",
		"later.json":           `{"format": 2, "dialect": "sqlite", "connection": "later", "tables": []}`,
		"bare.json":            `{"format": 1, "dialect": "sqlite", "connection": "bare"}`,
		"copied.json":          `{"format": 1, "dialect": "sqlite", "connection": "main", "tables": []}`,
		"main.layout.json":     "nothing of ours",
		"main.rejected-2.json": "nor this",
		"notes.txt":            "nor this",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	problems, read, err = designs.Check(root)
	require.NoError(t, err)
	assert.Equal(t, 1, read)
	assert.Equal(t, []designs.Problem{
		{Connection: "bare", File: ".berth/designs/bare.json", Reason: "tables is missing: give [] for a design without tables"},
		{Connection: "main", File: ".berth/designs/copied.json", Reason: `connection is "main": the file's name says another`},
		{File: ".berth/designs/folder.json", Reason: "read .berth/designs/folder.json: it is no ordinary file"},
		{Connection: "later", File: ".berth/designs/later.json", Reason: "format is 2: this berth reads 1"},
		{File: ".berth/designs/merge.json", Reason: "line 2: git could not merge the file: settle the conflict"},
	}, problems)
}
