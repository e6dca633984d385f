package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/version"
)

// A crash leaves one of our files. What it holds decides what becomes of it.
func TestTheRemainsOfACrashAreCleared(t *testing.T) {
	before, after, theirs := "before\n", "after\n", "theirs\n"
	old := ".berth-tmp-swap-" + version.Of([]byte(before)) + "-" + version.Of([]byte(after)) + "-ABCDEFGH" // before names had an id
	for name, tt := range map[string]struct {
		remains, content string // of the file that is left
		file             string // in place of which it stood
		want             string
		kept             bool
	}{
		"before the draft was whole":          {".berth-tmp-draft-ABC", "aft", before, before, false},
		"before the exchange":                 {old, after, before, before, false},
		"after the exchange":                  {old, before, after, after, false},
		"before another's write was put back": {old, theirs, after, theirs, false},
		"and then the file was written again": {old, theirs, "third\n", "third\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			project, err := disk.Open(dir, "")
			require.NoError(t, err)
			defer project.Close()
			path := filepath.Join(dir, "file.txt")
			require.NoError(t, os.WriteFile(path, []byte(tt.file), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, tt.remains), []byte(tt.content), 0o644))

			project.SweepAt(time.Now())
			assert.FileExists(t, filepath.Join(dir, tt.remains), "it may be another process's, which is at work")

			project.SweepAt(time.Now().Add(2 * time.Minute))
			assert.NoFileExists(t, filepath.Join(dir, tt.remains))
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(content))
			kept, err := filepath.Glob(filepath.Join(dir, "berth-kept-*"))
			require.NoError(t, err)
			assert.Equal(t, tt.kept, len(kept) == 1)
		})
	}
}

func TestWithoutExchangeAFileIsComparedAndReplaced(t *testing.T) {
	dir := t.TempDir()
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	defer project.Close()
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("x\n"), 0o644))
	was, err := project.Read("file.txt")
	require.NoError(t, err)
	method, err := project.ReplaceByRename(was, []byte("y\n"))
	require.NoError(t, err)
	assert.Equal(t, disk.Rename, method)

	_, err = project.ReplaceByRename(was, []byte("z\n"))
	var refused *disk.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, disk.Stale, refused.Reason)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "y\n", string(content))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// What a process leaves when it is killed is removed by the next one with the
// same journal, at once and in every folder; another instance's stays.
func TestWhatAKilledProcessLeftIsSweptAtTheNextStart(t *testing.T) {
	dir, journal := t.TempDir(), filepath.Join(t.TempDir(), "edits")
	deep := filepath.Join(dir, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(deep, "file.txt"), []byte("x\n"), 0o644))
	project, err := disk.Open(dir, journal)
	require.NoError(t, err)
	was, err := project.Read("a/b/file.txt")
	require.NoError(t, err)
	_, err = project.Replace(was, []byte("y\n"))
	require.NoError(t, err)
	_, err = project.Make("new.txt", []byte("z\n"))
	require.NoError(t, err)
	left := []string{filepath.Join(deep, project.DraftName()), filepath.Join(dir, project.DraftName()),
		filepath.Join(deep, project.SwapName(version.Of([]byte("x\n")), version.Of([]byte("y\n"))))}
	require.NoError(t, project.Close())
	for _, name := range left { // as if it had been killed
		require.NoError(t, os.WriteFile(name, []byte("x\n"), 0o644))
	}

	other, err := disk.Open(dir, filepath.Join(t.TempDir(), "edits"))
	require.NoError(t, err)
	_, err = other.Make("a/b/other.txt", []byte("x\n"))
	require.NoError(t, err)
	others := filepath.Join(deep, other.DraftName())
	require.NoError(t, os.WriteFile(others, []byte("x\n"), 0o644))
	other.SweepAt(time.Now().Add(time.Hour))
	for _, name := range left {
		assert.FileExists(t, name, "it may be a live instance's")
	}

	again, err := disk.Open(dir, journal)
	require.NoError(t, err)
	again.SweepJournal()
	for _, name := range left {
		assert.NoFileExists(t, name)
	}
	assert.FileExists(t, others)
	require.NoError(t, again.Close())
	require.NoError(t, other.Close())
	content, err := os.ReadFile(journal)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(content), "\n"), "folders in which nothing is left are forgotten")
}

// Where files cannot be exchanged, a program that has the file open writes into
// one without a name: what it writes is kept beside the new one.
func TestWithoutExchangeALateWriteIsKept(t *testing.T) {
	dir := t.TempDir()
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("x\n"), 0o644))
	was, err := project.Read("file.txt")
	require.NoError(t, err)
	other, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = project.ReplaceByRename(was, []byte("y\n"))
	require.NoError(t, err)
	_, err = other.WriteString("theirs\n")
	require.NoError(t, err)
	require.NoError(t, other.Close())
	require.NoError(t, project.Close(), "which looks for the last time")

	kept, err := filepath.Glob(filepath.Join(dir, "berth-kept-*"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	content, err := os.ReadFile(kept[0])
	require.NoError(t, err)
	assert.Equal(t, "x\ntheirs\n", string(content))
}
