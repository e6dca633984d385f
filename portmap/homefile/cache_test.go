package homefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap/homefile"
)

// cachedFile is a file that is read through a cache, and how often it was.
type cachedFile struct {
	t     *testing.T
	path  string
	cache homefile.Cache[string]
	reads int
}

// anHourAgo is when the files of these tests were written, unless a test is
// about the time.
var anHourAgo = time.Now().Add(-time.Hour)

func newCachedFile(t *testing.T, text string) *cachedFile {
	f := &cachedFile{t: t, path: filepath.Join(t.TempDir(), "file")}
	f.write(f.path, text, anHourAgo)
	return f
}

func (f *cachedFile) write(path, text string, at time.Time) {
	require.NoError(f.t, os.WriteFile(path, []byte(text), 0o600))
	require.NoError(f.t, os.Chtimes(path, at, at))
}

func (f *cachedFile) read() (string, error) {
	return f.cache.Read(f.path, func(path string) (string, error) {
		f.reads++
		text, err := homefile.Read(path, 100)
		return string(text), err
	})
}

func (f *cachedFile) gets(want string) {
	f.t.Helper()
	got, err := f.read()
	require.NoError(f.t, err)
	require.Equal(f.t, want, got)
}

func TestAFileIsReadAgainOnlyIfItChanged(t *testing.T) {
	changes := map[string]func(f *cachedFile) (want string){
		"another time": func(f *cachedFile) string {
			f.write(f.path, "new", anHourAgo.Add(time.Minute))
			return "new"
		},
		"another size": func(f *cachedFile) string {
			f.write(f.path, "longer", anHourAgo)
			return "longer"
		},
		"another file with the same time and size": func(f *cachedFile) string {
			if runtime.GOOS == "windows" {
				f.write(f.path+"2", "new", anHourAgo.Add(time.Microsecond)) // identity is not compared there
			} else {
				f.write(f.path+"2", "new", anHourAgo)
			}
			require.NoError(f.t, os.Rename(f.path+"2", f.path))
			return "new"
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			f := newCachedFile(t, "old")
			f.gets("old")
			f.gets("old")
			assert.Equal(t, 1, f.reads)
			want := change(f)
			f.gets(want)
			f.gets(want)
			assert.Equal(t, 2, f.reads)
		})
	}
}

func TestAFileThatOthersMayReadByNowIsReadAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no such modes there
	}
	f := newCachedFile(t, "text")
	f.gets("text")
	require.NoError(t, os.Chmod(f.path, 0o644))
	f.gets("text")
	assert.Equal(t, 2, f.reads, "the reader has to refuse it")
}

func TestAFileThatJustChangedIsReadEachTime(t *testing.T) {
	f := newCachedFile(t, "old")
	f.write(f.path, "old", time.Now())
	f.gets("old")
	f.gets("old")
	assert.Equal(t, 2, f.reads, "another change may leave the same time")
}

func TestAnErrorIsNotKept(t *testing.T) {
	f := newCachedFile(t, "text")
	broken := errors.New("broken")
	_, err := f.cache.Read(f.path, func(string) (string, error) { return "half", broken })
	require.ErrorIs(t, err, broken)
	f.gets("text")
	require.NoError(t, os.Remove(f.path))
	_, err = f.read()
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestALinkIsFollowedEachTime(t *testing.T) {
	f := newCachedFile(t, "old")
	link := f.path + ".link"
	if err := os.Symlink(f.path, link); err != nil {
		t.Logf("no links here: %v", err)
		return
	}
	f.path, link = link, f.path
	f.gets("old")
	f.write(link, "new", anHourAgo)
	f.gets("new")
}
