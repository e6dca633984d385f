package files

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

func TestWithoutReportsOfTheSystemFilesAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("one\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	defer project.Close()
	notices := make(chan any, 10)
	w := newWatch(project, func(n any) { notices <- n })
	require.NoError(t, w.events.Close()) // no reports from here on, as where there are none
	w.follow("a.txt", version.Of([]byte("one\n")))
	require.NoError(t, os.WriteFile(path, []byte("another\n"), 0o644))
	w.compareStamps()
	w.checkMarked()
	select {
	case n := <-notices:
		assert.Equal(t, StaleNotice{Type: "file_stale", Path: "a.txt"}, n)
	case <-time.After(20 * time.Second):
		t.Fatal("no notice")
	}
	assert.False(t, w.checkMarked(), "one notice is enough")
	w.close()
	assert.Empty(t, notices)
}

func TestAFileThatIsBeingWrittenIsNotJudged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("one\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	defer project.Close()
	notices := make(chan any, 10)
	w := newWatch(project, func(n any) { notices <- n })
	defer w.close()
	w.follow("a.txt", version.Of([]byte("one\n")))
	release := w.hold("a.txt")
	require.NoError(t, os.WriteFile(path, []byte("two\n"), 0o644))
	w.compareStamps()
	assert.True(t, w.checkMarked(), "it waits")
	w.follow("a.txt", version.Of([]byte("two\n")))
	release()
	assert.False(t, w.checkMarked())
	assert.Empty(t, notices)
}

func TestOnlySoManyFilesAreFollowed(t *testing.T) {
	project, err := disk.Open(t.TempDir(), "")
	require.NoError(t, err)
	defer project.Close()
	w := newWatch(project, func(any) {})
	defer w.close()
	for i := range 2 * maxFollowed {
		w.follow(filepath.ToSlash(filepath.Join("d", time.Duration(i).String(), "f")), "v")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	assert.Len(t, w.files, maxFollowed)
	assert.Len(t, w.folders, maxFollowed)
}
