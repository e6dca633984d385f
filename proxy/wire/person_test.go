package wire_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/wire"
)

func TestThePersonKeyIsMadeOnceAndIsTheUsersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "person.key")
	_, err := wire.ReadPersonKey(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = wire.EnsurePersonKey(path)
	require.NoError(t, err)
	key, err := wire.ReadPersonKey(path)
	require.NoError(t, err)
	assert.False(t, key.IsZero())
	_, err = wire.EnsurePersonKey(path)
	require.NoError(t, err)
	again, err := wire.ReadPersonKey(path)
	require.NoError(t, err)
	assert.True(t, key.Equal(again))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), "not for agents", "who comes across it is told")

	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(path, 0o644))
		_, err = wire.ReadPersonKey(path)
		assert.ErrorIs(t, err, wire.ErrNotPrivate, "a key that others can read is none")
		note, err := wire.EnsurePersonKey(path)
		require.NoError(t, err)
		assert.Contains(t, note, "the key in it was replaced")
		other, err := wire.ReadPersonKey(path)
		require.NoError(t, err)
		assert.False(t, key.Equal(other), "the old key is useless")
	}
	require.NoError(t, os.WriteFile(path, []byte("something else\n"), 0o600))
	_, err = wire.ReadPersonKey(path)
	assert.ErrorContains(t, err, "not a file of berth's")
	_, err = wire.EnsurePersonKey(path)
	assert.Error(t, err, "what is not ours is not replaced")
}
