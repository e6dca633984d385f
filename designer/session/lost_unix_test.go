//go:build unix

package session

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is acknowledged is what a process finds that starts now: the one that
// acknowledged it may be killed the next moment.
func TestWhatIsAcknowledgedIsFoundAfterAKillWhateverWasRemoved(t *testing.T) {
	wal := func(dir string) string { return filepath.Join(dir, dbName+"-wal") }
	cases := map[string]struct {
		lose func(t *testing.T, dir string)
		mend bool // and is acknowledged all the same
	}{
		"the log removed":  {func(t *testing.T, dir string) { require.NoError(t, os.Remove(wal(dir))) }, true},
		"the log emptied":  {func(t *testing.T, dir string) { require.NoError(t, os.Truncate(wal(dir), 0)) }, false},
		"the log cut":      {func(t *testing.T, dir string) { require.NoError(t, os.Truncate(wal(dir), 40)) }, false},
		"the log replaced": {func(t *testing.T, dir string) { replaceByCopy(t, wal(dir)) }, false},
		"state.db emptied": {func(t *testing.T, dir string) { require.NoError(t, os.Truncate(filepath.Join(dir, dbName), 0)) }, false},
		"nothing: somebody wrote the log back": {func(t *testing.T, dir string) {
			db, err := sql.Open("sqlite", filepath.Join(dir, dbName))
			require.NoError(t, err)
			_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			s, err := OpenStore(dir)
			require.NoError(t, err)
			t.Cleanup(func() { _ = s.Close() }) // what is gone cannot be written back
			add := func(id string) error {
				return s.write(context.Background(), func(w *writer) error {
					if _, err := w.event(); err != nil {
						return err
					}
					return w.exec(insertKey, id, []byte("secret"), 1)
				}, nil)
			}
			require.NoError(t, add("a"))
			require.NoError(t, add("b"))
			tc.lose(t, dir)
			err = add("c")
			if !tc.mend {
				require.ErrorIs(t, err, ErrGone)
				require.ErrorContains(t, err, "berth serve")
				require.ErrorIs(t, add("d"), ErrGone, "nor what follows")
				return
			}
			require.NoError(t, err)
			require.NoError(t, add("d"))
			for _, id := range []string{"a", "b", "c", "d"} {
				assert.True(t, killedStateHas(t, dir, id), "%s was acknowledged", id)
			}
		})
	}
}

// killedStateHas reports whether the state that a kill would leave now has a
// page key.
func killedStateHas(t *testing.T, dir, id string) bool {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(copied, 0o700))
	for _, name := range []string{dbName, dbName + "-wal"} { // the index is made again from the log
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(copied, name), text, 0o600))
	}
	s := openStore(t, copied)
	_, ok, err := s.PageKey(t.Context(), id)
	require.NoError(t, err)
	return ok
}
