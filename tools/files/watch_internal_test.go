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
	project, path := watched(t)
	notices := make(chan any, 10)
	w := newWatch(project, func(n any) { notices <- n })
	if w.events != nil { // the system may have none left for this test
		w.events.Close() // no reports from here on, as where there are none
	}
	w.follow("a.txt", version.Of([]byte("one\n")), stampOf(t, project))
	require.NoError(t, os.WriteFile(path, []byte("another\n"), 0o644))
	w.compareStamps()
	w.checkMarked()
	announced(t, notices)
	assert.False(t, w.checkMarked(), "one notice is enough")
	w.close()
	assert.Empty(t, notices)
}

func TestAFileThatIsBeingWrittenIsNotJudged(t *testing.T) {
	project, path := watched(t)
	notices := make(chan any, 10)
	w := newWatch(project, func(n any) { notices <- n })
	defer w.close()
	w.follow("a.txt", version.Of([]byte("one\n")), stampOf(t, project))
	release := w.hold("a.txt")
	require.NoError(t, os.WriteFile(path, []byte("two\n"), 0o644))
	w.compareStamps()
	assert.True(t, w.checkMarked(), "it waits")
	w.follow("a.txt", version.Of([]byte("two\n")), stampOf(t, project))
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
		w.follow(filepath.ToSlash(filepath.Join("d", time.Duration(i).String(), "f")), "v", disk.Stamp{})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	assert.Len(t, w.files, maxFollowed)
	assert.Len(t, w.folders, maxFollowed)
}

// watched is a project with a file of one line, a.txt, and where that lies.
func watched(t *testing.T) (project *disk.Project, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("one\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	t.Cleanup(func() { project.Close() })
	return project, path
}

// announced waits until a.txt is said to be stale.
func announced(t *testing.T, notices <-chan any) {
	t.Helper()
	select {
	case n := <-notices:
		assert.Equal(t, StaleNotice{Type: "file_stale", Path: "a.txt"}, n)
	case <-time.After(20 * time.Second):
		t.Fatal("no notice")
	}
}

// stampOf is the stamp of a.txt as an agent reads it now.
func stampOf(t *testing.T, project *disk.Project) disk.Stamp {
	t.Helper()
	s, err := project.Read("a.txt")
	require.NoError(t, err)
	return s.Stamp()
}

// Between the moment in which a file is read and that in which it is followed,
// no change is reported.
func TestAChangeBetweenReadingAndFollowingIsAnnounced(t *testing.T) {
	project, path := watched(t)
	notices := make(chan any, 10)
	w := newWatch(project, func(n any) { notices <- n })
	defer w.close()
	read := stampOf(t, project)
	require.NoError(t, os.WriteFile(path, []byte("two, by somebody else\n"), 0o644))
	w.follow("a.txt", version.Of([]byte("one\n")), read)
	announced(t, notices)

	// Shown again, but changed once more before that was recorded: the report
	// of the change came while the agent was known to have the old version.
	read = stampOf(t, project)
	require.NoError(t, os.WriteFile(path, []byte("three, by somebody else again\n"), 0o644))
	time.Sleep(3 * settleTime) // the report is over
	w.follow("a.txt", version.Of([]byte("two, by somebody else\n")), read)
	announced(t, notices)

	// And while a check reads the file that the agent is shown.
	w.follow("a.txt", "v3", stampOf(t, project))
	assert.False(t, w.outdated("a.txt", "v2"))
	announced(t, notices)
}
