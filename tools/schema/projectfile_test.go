package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnImportReadsNoOtherFilesThanThoseOfSchemas(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	require.NoError(t, os.WriteFile(filepath.Join(w.root, ".env"), []byte("SECRET=hunter2"), 0o600))
	for _, path := range []string{".env", "id_rsa", "missing.sql"} {
		got := w.does("import", `"payload":{"format":"sql","expectedVersion":"v","path":"`+path+`"}`, nil)
		assert.Equal(t, "invalid_request", got.Reason, got.text)
		assert.NotContains(t, got.text, "hunter2")
	}
	require.NoError(t, os.WriteFile(filepath.Join(w.root, "huge.sql"), []byte(strings.Repeat(" ", 16<<20+1)), 0o600))
	got := w.does("import", `"payload":{"expectedVersion":"v","path":"huge.sql"}`, nil)
	assert.Contains(t, got.Message, "16 MiB")
}

func TestAnExportReplacesAFileOnlyWhenTold(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	first := w.does("export", `"payload":{"format":"sql","path":"docs/s.sql"}`, nil)
	require.True(t, first.Success, first.text)
	again := w.does("export", `"payload":{"format":"json","path":"docs/s.sql"}`, nil)
	assert.Contains(t, again.Message, "options.overwrite")
	over := w.does("export", `"payload":{"format":"json","path":"docs/s.sql"},"options":{"overwrite":true}`, nil)
	require.True(t, over.Success, over.text)
	assert.Equal(t, []string{"docs", "docs/s.sql"}, listing(t, w.root), "nothing is left beside it")
}

func TestEachFormatIsWritten(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	for format, says := range map[string]string{"sql": "CREATE TABLE users", "plan": "phone", "json": `"name": "users"`,
		"dbml": "Table users {", "mermaid": "erDiagram"} {
		got := w.does("export", `"payload":{"format":"`+format+`"}`, nil)
		require.True(t, got.Success, got.text)
		text, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(got.Path)))
		require.NoError(t, err)
		assert.Contains(t, string(text), says, format)
	}
	unknown := w.does("export", `"payload":{"format":"sql","dialect":"oracle"}`, nil)
	assert.Contains(t, unknown.Message, "sqlite, postgres, mysql or mssql")
}

// listing names every file and folder below root.
func listing(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if name, _ := filepath.Rel(root, path); name != "." {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	}))
	return names
}
