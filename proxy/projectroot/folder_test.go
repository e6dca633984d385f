package projectroot_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/projectroot"
)

func TestAFolderIsKnownByItsIdentity(t *testing.T) {
	dir := t.TempDir()
	path, aside := filepath.Join(dir, "app"), filepath.Join(dir, "aside")
	require.NoError(t, os.Mkdir(path, 0o755))
	f, err := projectroot.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, f.Check())

	require.NoError(t, os.Rename(path, aside))
	assert.ErrorIs(t, f.Check(), projectroot.ErrGone)
	assert.ErrorIs(t, f.Check(), os.ErrNotExist)
	require.NoError(t, os.Mkdir(path, 0o755))
	assert.ErrorIs(t, f.Check(), projectroot.ErrReplaced)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	assert.ErrorIs(t, f.Check(), projectroot.ErrGone)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Rename(aside, path))
	assert.NoError(t, f.Check(), "the same folder is back")
}

// A folder that is removed and made again gets the same number on many file
// systems, at once, unless somebody holds on to it.
func TestAFolderMadeAgainIsAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app")
	require.NoError(t, os.Mkdir(path, 0o755))
	f, err := projectroot.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for range 50 {
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Mkdir(path, 0o755))
		require.ErrorIs(t, f.Check(), projectroot.ErrReplaced)
	}
}

func TestOnlyAFolderIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	for _, p := range []string{path, path + ".not"} {
		_, err := projectroot.Open(p)
		assert.Error(t, err)
	}
}
