package sqlitefiles

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the files that are found
)

func TestFilesAreFoundByWhatTheyAre(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"app.db", "storage/development.sqlite3", "data/no-extension", "b/c/d/deep.txt",
		".git/x.db", "node_modules/p/x.db", "sub/vendor/x.db", ".berth/x.db", "1/2/3/4/5/6/7/8/9/too-deep.db"} {
		dbtest.SQLite(t, root, name, "CREATE TABLE t (a)")
	}
	for name, content := range map[string]string{
		"fake.db": strings.Repeat("x", 4096), "empty.db": "", "cut.db": magic, "tail.db": magic + strings.Repeat("x", 600),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o600))
	}
	dbtest.SQLite(t, outside, "secret.db", "CREATE TABLE t (a)")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(filepath.Join(outside, "secret.db"), filepath.Join(root, "link.db")))
		require.NoError(t, os.Symlink(outside, filepath.Join(root, "linked")))
		require.NoError(t, os.Symlink(root, filepath.Join(root, "loop")))
	}
	want := []string{"app.db", "data/no-extension", "storage/development.sqlite3", "b/c/d/deep.txt"}
	assert.Equal(t, want, New(root).Find(t.Context()))
}

func TestCopiesResultsAndCachesAreNotTheProjectsDatabases(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{".vs/slnx.sqlite", "dist/d.db", ".next/cache/n.db", "db.sqlite3.bak", "app.db.old", "app.db.orig", "app.db~", "app.db.bak2",
		"Web/bin/Debug/net9.0/app.db", "Web/obj/x.db", "target/classes/x.db", ".idea/dataSources/x.db", "build/x.db", "coverage/c.sqlite",
		"app.db", "distribution/d.db", "backup.db", "old/kept.db", ".wrangler/state/v3/d1/x.sqlite"} {
		dbtest.SQLite(t, root, name, "CREATE TABLE t (a)")
	}
	assert.ElementsMatch(t, []string{"app.db", "backup.db", "distribution/d.db", "old/kept.db", ".wrangler/state/v3/d1/x.sqlite"}, New(root).Find(t.Context()))
}

func TestFindingIsRememberedForAWhile(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	f := New(root)
	f.now = func() time.Time { return now }
	assert.Empty(t, f.Find(t.Context()))
	dbtest.SQLite(t, root, "new.db", "CREATE TABLE t (a)")
	assert.Empty(t, f.Find(t.Context()), "not looked for again yet")
	now = now.Add(searchAgain)
	assert.Equal(t, []string{"new.db"}, f.Find(t.Context()))
}

func TestFindingIsBounded(t *testing.T) {
	root := t.TempDir()
	path := dbtest.SQLite(t, root, "0.db", "CREATE TABLE t (a)")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range maxFiles + 10 {
		require.NoError(t, os.WriteFile(filepath.Join(root, "n"+strings.Repeat("x", i)+".db"), content, 0o600))
	}
	assert.Len(t, New(root).Find(t.Context()), maxFiles)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := New(root)
	assert.Empty(t, f.Find(ctx))
	assert.Len(t, f.Find(t.Context()), maxFiles, "a search that was given up is not kept")
}

func TestASearchThatWasCutSaysSo(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a", "a/b", "a/b/c"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o700))
	}
	dbtest.SQLite(t, root, "a/b/c/deep.db", "CREATE TABLE t (a)")
	dbtest.SQLite(t, root, "z.db", "CREATE TABLE t (a)")
	f := New(root)
	f.Entries = 4
	assert.Equal(t, []string{"z.db"}, f.Find(t.Context()), "what is nearest to the root is looked at first")
	assert.Contains(t, f.Note(), "stopped after 4 files and folders")
	f.Entries, f.searched = maxEntries, time.Time{}
	assert.Len(t, f.Find(t.Context()), 2)
	assert.Empty(t, f.Note(), "a search that is whole again says nothing")
}
