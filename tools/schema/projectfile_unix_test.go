//go:build unix

package schema_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFilesStayInTheProjectAndOutOfItsMachinery(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	for _, dir := range []string{".git/hooks", ".berth", "sub/.git", "docs"} {
		require.NoError(t, os.MkdirAll(filepath.Join(w.root, dir), 0o755))
	}
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join(w.root, name))) }
	link(".git/hooks", "hooks")
	link(".berth", "settings")
	link(t.TempDir(), "away")
	link("config.yaml", ".berth/exports")
	before := listing(t, w.root)
	for _, path := range []string{"../x.sql", "/tmp/x.sql", "a/../../x.sql", `..\\x.sql`, "C:x.sql", "x.sql:stream", ".", "docs",
		".git/hooks/x.sql", ".GIT/x.sql", ".git /x.sql", "git~1/x.sql", "sub/.git/x.sql", ".berth/config.yaml", ".Berth./x.sql",
		".berth/exports", ".berth/exports/../config.yaml", "hooks/x.sql", "settings/x.json", "away/x.sql", ".berth/exports/x.sql"} {
		for _, operation := range []string{"export", "import"} {
			got := w.does(operation, `"payload":{"format":"json","expectedVersion":"v","path":"`+path+`"},"options":{"overwrite":true}`, nil)
			assert.Equal(t, "invalid_request", got.Reason, "%s %s: %s", operation, path, got.text)
			assert.NotContains(t, got.text, w.root)
		}
	}
	assert.Equal(t, before, listing(t, w.root))
}
