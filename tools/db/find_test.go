package db

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFilesAreFoundByWhatTheyAre(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"app.db", "storage/development.sqlite3", "data/no-extension", "b/c/d/deep.txt",
		".git/x.db", "node_modules/p/x.db", "sub/vendor/x.db", ".berth/x.db", "1/2/3/4/5/6/7/8/9/too-deep.db"} {
		writeDB(t, root, name, "CREATE TABLE t (a)")
	}
	for name, content := range map[string]string{
		"fake.db": strings.Repeat("x", 4096), "empty.db": "", "cut.db": magic, "tail.db": magic + strings.Repeat("x", 600),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o600))
	}
	writeDB(t, outside, "secret.db", "CREATE TABLE t (a)")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(filepath.Join(outside, "secret.db"), filepath.Join(root, "link.db")))
		require.NoError(t, os.Symlink(outside, filepath.Join(root, "linked")))
		require.NoError(t, os.Symlink(root, filepath.Join(root, "loop")))
	}
	want := []string{"app.db", "data/no-extension", "storage/development.sqlite3", "b/c/d/deep.txt"}
	assert.Equal(t, want, newFinder(root).find(t.Context()))
}

func TestFindingIsRememberedForAWhile(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	f := newFinder(root)
	f.now = func() time.Time { return now }
	assert.Empty(t, f.find(t.Context()))
	writeDB(t, root, "new.db", "CREATE TABLE t (a)")
	assert.Empty(t, f.find(t.Context()), "not looked for again yet")
	now = now.Add(findAgain)
	assert.Equal(t, []string{"new.db"}, f.find(t.Context()))
}

func TestFindingIsBounded(t *testing.T) {
	root := t.TempDir()
	path := writeDB(t, root, "0.db", "CREATE TABLE t (a)")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range findFiles + 10 {
		require.NoError(t, os.WriteFile(filepath.Join(root, "n"+strings.Repeat("x", i)+".db"), content, 0o600))
	}
	assert.Len(t, newFinder(root).find(t.Context()), findFiles)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := newFinder(root)
	assert.Empty(t, f.find(ctx))
	assert.Len(t, f.find(t.Context()), findFiles, "a search that was given up is not kept")
}

func TestASearchThatWasCutSaysSoWhereFilesAreMissed(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a", "a/b", "a/b/c"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o700))
	}
	writeDB(t, root, "a/b/c/deep.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{})
	c.finder.entries = 4
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

	writeDB(t, root, "z.db", "CREATE TABLE t (a)")
	again := newFinder(root)
	again.entries = 4
	assert.Equal(t, []string{"z.db"}, again.find(t.Context()), "what is nearest to the root is looked at first")
	again.entries, again.until = findEntries, time.Time{}
	assert.Len(t, again.find(t.Context()), 2)
	assert.Empty(t, again.note(), "a search that is whole again says nothing")
}
