//go:build unix

package tree

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A pipe without a writer would hold its reader for ever.
func TestAPipeIsNotOpened(t *testing.T) {
	root := project(t, map[string]string{"f": "x"})
	require.NoError(t, unix.Mkfifo(filepath.Join(root.Name(), "pipe"), 0o644))
	require.NoError(t, unix.Mkfifo(filepath.Join(root.Name(), ".gitignore"), 0o644))
	all, counts := walked(t, root, "", Options{})
	assert.Equal(t, []string{".gitignore?", "f", "pipe?"}, all)
	assert.Equal(t, 2, counts.Others)
	for _, open := range []func(*os.Root) (folder, error){openFolder, openRootFolder} {
		f, err := open(root)
		require.NoError(t, err)
		_, _, err = f.read("pipe", nil, 100)
		assert.ErrorIs(t, err, ErrNotRegular)
		require.NoError(t, f.close())
	}
}

func TestADeepTreeKeepsFewFoldersOpen(t *testing.T) {
	dir := t.TempDir()
	for _, top := range []string{"a", "b", "c", "d"} {
		path := filepath.Join(dir, top)
		for range 60 {
			path = filepath.Join(path, "d")
			require.NoError(t, os.MkdirAll(filepath.Join(path, "side", "x"), 0o755))
		}
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	open := func() int {
		fds, err := os.ReadDir("/dev/fd")
		require.NoError(t, err)
		return len(fds)
	}
	before, most := open(), 0
	_, err = Walk(t.Context(), root, "", Options{Workers: 1}, func(int, *Entry) error {
		most = max(most, open())
		return nil
	})
	require.NoError(t, err)
	assert.Less(t, most-before, 70, "as many as the tree is deep, not as it is large")
	assert.Equal(t, before, open(), "none is left open")
}
