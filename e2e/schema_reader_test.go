package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const schemaReader = "schema_designer_read"

// contents are the files of a project but for berth's own state.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "state.db") || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	}))
	return files
}

// Clients that ask a person, or refuse, by a tool's annotations let an agent read
// a design by the tool that says it only reads; and it does.
func TestADesignIsReadByAToolThatCanOnlyRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	before := contents(t, root)
	for where, a := range map[string]*agent{"stdio": w.agent(), "/mcp": w.atInstance(in, nil)} {
		listed, err := a.session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		readOnly := map[string]bool{}
		for _, tool := range listed.Tools {
			readOnly[tool.Name] = tool.Annotations.ReadOnlyHint
		}
		assert.True(t, readOnly[schemaReader], where)
		assert.False(t, readOnly[designer], where)

		var overview reply
		text := a.ask(root, schemaReader, map[string]any{"operation": "get_overview"}).text()
		require.NoError(t, json.Unmarshal([]byte(text), &overview), text)
		require.True(t, overview.Success, "without show, over %s: %s", where, text)
		assert.Len(t, overview.Overview.Tables, 2)
		payload := map[string]any{"expectedVersion": overview.Version, "edits": []map[string]any{addTable("invoice")},
			"path": "out.sql", "format": "sql"}
		for _, operation := range []string{"show", "apply_edits", "undo", "redo", "verify", "publish", "rebase", "export", "import"} {
			for _, p := range []any{nil, payload, map[string]any{"expectedVersion": overview.Version}} {
				args := map[string]any{"operation": operation}
				if p != nil {
					args["payload"] = p
				}
				got := a.ask(root, schemaReader, args)
				assert.True(t, got.isError, "%s over %s: %s", operation, where, got.text())
				assert.Contains(t, got.text(), "schema_designer_read only reads: call mssql_schema_designer for "+operation)
			}
		}
		now := a.ask(root, schemaReader, map[string]any{"operation": "get_changes"}).text()
		assert.Contains(t, now, overview.Version, "the version is the one before, over %s", where)
		_, waiting := request(t, in, "GET", "/approvals", "", map[string]string{"Authorization": "Bearer " + w.token(in)})
		assert.NotContains(t, waiting, `"id"`, "nothing waits for a person")
	}
	assert.Equal(t, before, contents(t, root), "no file of the project has changed")
}
