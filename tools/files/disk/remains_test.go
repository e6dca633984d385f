package disk_test

import (
	"os"
	"path/filepath"
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
	swap := disk.SwapName(version.Of([]byte(before)), version.Of([]byte(after)))
	for name, tt := range map[string]struct {
		remains, content string // of the file that is left
		file             string // in place of which it stood
		want             string
		kept             bool
	}{
		"before the draft was whole":          {disk.DraftName(), "aft", before, before, false},
		"before the exchange":                 {swap, after, before, before, false},
		"after the exchange":                  {swap, before, after, after, false},
		"before another's write was put back": {swap, theirs, after, theirs, false},
		"and then the file was written again": {swap, theirs, "third\n", "third\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			project, err := disk.Open(dir)
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
	project, err := disk.Open(dir)
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
