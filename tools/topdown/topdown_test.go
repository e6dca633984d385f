package topdown_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/topdown"
)

func tree() fs.FS {
	return fstest.MapFS{"a/b/deep": {}, "a/file": {}, "c/skipped/x": {}, "c/y": {}, "z": {}}
}

// visited walks the tree; stop is what a name is answered.
func visited(t *testing.T, stop map[string]error) ([]string, error) {
	t.Helper()
	var names []string
	err := topdown.Walk(tree(), func(name string, _ fs.DirEntry, err error) error {
		assert.NoError(t, err)
		names = append(names, name)
		return stop[name]
	})
	return names, err
}

func TestWhatIsNearTheTopComesFirst(t *testing.T) {
	names, err := visited(t, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{".", "a", "c", "z", "a/b", "a/file", "c/skipped", "c/y", "a/b/deep", "c/skipped/x"}, names)
}

func TestAWalkHeedsWhatAVisitReturns(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		stop map[string]error
		want []string
		err  error
	}{
		{"a folder is left out", map[string]error{"c/skipped": fs.SkipDir, "a": fs.SkipDir}, []string{".", "a", "c", "z", "c/skipped", "c/y"}, nil},
		{"the rest of a folder is", map[string]error{"a/file": fs.SkipDir}, []string{".", "a", "c", "z", "a/b", "a/file", "c/skipped", "c/y", "a/b/deep", "c/skipped/x"}, nil},
		{"all the rest is", map[string]error{"z": fs.SkipAll}, []string{".", "a", "c", "z"}, nil},
		{"the root is", map[string]error{".": fs.SkipDir}, []string{"."}, nil},
		{"an error ends it", map[string]error{"a/b": broken}, []string{".", "a", "c", "z", "a/b"}, broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names, err := visited(t, tt.stop)
			assert.Equal(t, tt.want, names)
			assert.Equal(t, tt.err, err)
		})
	}
}

func TestAFolderThatCannotBeListedIsSaid(t *testing.T) {
	root := t.TempDir()
	gone := filepath.Join(root, "gone")
	require.NoError(t, os.Mkdir(gone, 0o700))
	var failed []string
	err := topdown.Walk(os.DirFS(root), func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			failed = append(failed, name)
		} else if name == "gone" {
			return os.Remove(gone)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"gone"}, failed)
}
