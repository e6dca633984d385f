//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Linux and macOS let anyone remove or replace a file that is open. What is
// written to it then is lost at the end of the process, so it must not be
// acknowledged.
func TestNothingIsAcknowledgedOnceTheStateIsGone(t *testing.T) {
	cases := map[string]func(t *testing.T, dir string){
		"the folder removed": func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(dir)) },
		"the folder moved":   func(t *testing.T, dir string) { require.NoError(t, os.Rename(dir, dir+"-old")) },
		"state.db removed":   func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, dbName))) },
		"the lock removed":   func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, lockName))) },
		"a successor in it":  func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(dir)); openStore(t, dir) },
		"state.db restored":  func(t *testing.T, dir string) { replaceByCopy(t, filepath.Join(dir, dbName)) },
		"state.db a symlink's": func(t *testing.T, dir string) {
			path := filepath.Join(dir, dbName)
			replaceByCopy(t, path)
			require.NoError(t, os.Rename(path, path+".real"))
			require.NoError(t, os.Symlink(path+".real", path))
		},
	}
	for name, lose := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			s := openStore(t, dir)
			require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")))
			lose(t, dir)
			err := s.AddPageKey(t.Context(), "b", []byte("secret"))
			require.ErrorIs(t, err, ErrGone)
			require.ErrorContains(t, err, "berth serve")
			_, ok, err := s.PageKey(t.Context(), "a")
			require.NoError(t, err)
			assert.True(t, ok, "what was known can still be read")
		})
	}
}

func replaceByCopy(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, text, 0o600))
}
