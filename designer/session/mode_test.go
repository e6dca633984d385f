package session

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAStateThatCouldNotBeWrittenCanOnceItsModeIsBack(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("modes bind nobody here")
	}
	dir := t.TempDir()
	require.NoError(t, openStore(t, dir).Close())
	path := filepath.Join(dir, dbName)
	require.NoError(t, os.Chmod(path, 0o400))
	_, err := OpenStore(dir)
	require.ErrorIs(t, err, ErrReadOnly)
	require.ErrorContains(t, err, "permissions")
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, openStore(t, dir).AddPageKey(t.Context(), "a", []byte("secret")))
}

// SQLite gives them the mode that the database has, for good.
func TestTheModesOfALeftLogAreMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes")
	}
	dir := t.TempDir()
	require.NoError(t, openStore(t, dir).Close())
	left := filepath.Join(dir, dbName+"-wal")
	require.NoError(t, os.WriteFile(left, nil, 0o400))
	s := openStore(t, dir)
	require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")))
	info, err := os.Stat(left)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
