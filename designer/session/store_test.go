package session

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := OpenStore(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestOpenStoreMakesAPrivateDatabase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state of ünï %20 #1?", "x")
	s := openStore(t, dir)
	var mode string
	var sync int
	require.NoError(t, s.conn.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode))
	require.NoError(t, s.conn.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&sync))
	assert.Equal(t, "wal", mode)
	assert.Equal(t, 2, sync, "FULL")
	for _, name := range []string{dbName, dbName + "-wal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
		}
	}
}

func TestOpenStoreNamesTheProcessThatHoldsTheState(t *testing.T) {
	dir := t.TempDir()
	first := openStore(t, dir)
	_, err := OpenStore(dir)
	require.ErrorIs(t, err, ErrStateLocked)
	var locked *LockedError
	require.ErrorAs(t, err, &locked)
	assert.Equal(t, os.Getpid(), locked.PID)
	assert.ErrorContains(t, err, fmt.Sprintf("process %d", os.Getpid()))
	_, err = SetAside(dir)
	require.ErrorIs(t, err, ErrStateLocked, "a state in use is not set aside either")

	require.NoError(t, first.Close())
	openStore(t, dir)
}

func TestCloseLeavesOneFileAndEndsEveryOperation(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")))
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing again does nothing")
	for _, suffix := range []string{"-wal", "-shm"} {
		assert.NoFileExists(t, filepath.Join(dir, dbName+suffix))
	}
	require.ErrorIs(t, s.AddPageKey(t.Context(), "b", []byte("x")), ErrClosed)
	_, _, err := s.PageKey(t.Context(), "a")
	require.ErrorIs(t, err, ErrClosed)
}

func TestADatabaseThatCannotBeUsedIsReportedAndLeftAsItIs(t *testing.T) {
	cases := map[string]struct {
		spoil func(t *testing.T, path string)
		kind  error
	}{
		"overwritten with text": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("not a database "), 400), 0o600))
		}, ErrDamaged},
		"cut in half": {func(t *testing.T, path string) {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(path, info.Size()/2))
		}, ErrDamaged},
		"pages overwritten": {func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, 8192), 4096)
			require.NoError(t, errors.Join(err, f.Close()))
		}, ErrDamaged},
		"another program's": {func(t *testing.T, path string) {
			execSQL(t, path, "PRAGMA application_id = 7")
		}, ErrDamaged},
		"its one row missing": {func(t *testing.T, path string) {
			execSQL(t, path, "DELETE FROM state")
		}, ErrDamaged},
		"a number that cannot be": {func(t *testing.T, path string) {
			execSQL(t, path, "UPDATE state SET event_seq = -5")
		}, ErrDamaged},
		"its version forgotten": {func(t *testing.T, path string) {
			execSQL(t, path, "PRAGMA user_version = 0")
		}, ErrDamaged},
		"a table missing": {func(t *testing.T, path string) {
			execSQL(t, path, "DROP TABLE steps")
		}, ErrDamaged},
		"from a newer berth": {func(t *testing.T, path string) {
			execSQL(t, path, "PRAGMA user_version = 99")
		}, ErrNewer},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir)
			require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")))
			require.NoError(t, s.Close())
			path := filepath.Join(dir, dbName)
			c.spoil(t, path)
			before, err := os.ReadFile(path)
			require.NoError(t, err)

			_, err = OpenStore(dir)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, path)
			if c.kind == ErrDamaged {
				require.ErrorContains(t, err, "berth doctor --fix", "the next step")
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(before, after), "the file changed")

			aside, err := SetAside(dir)
			require.NoError(t, err)
			kept, err := os.ReadFile(aside)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(before, kept), "what was set aside changed")
			_, ok, err := openStore(t, dir).PageKey(t.Context(), "a")
			require.NoError(t, err)
			assert.False(t, ok, "the new state starts empty")
		})
	}
}

func TestADamagedDatabaseKeepsTheLogOfAKilledProcess(t *testing.T) {
	dir, killed := t.TempDir(), t.TempDir()
	require.NoError(t, openStore(t, dir).Close())
	s := openStore(t, dir)
	require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")))
	content := map[string][]byte{}
	for _, name := range []string{dbName, dbName + "-wal"} { // as a killed process leaves them
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotEmpty(t, raw)
		if name == dbName {
			copy(raw[4096:], bytes.Repeat([]byte{0xa5}, 3*4096))
		}
		require.NoError(t, os.WriteFile(filepath.Join(killed, name), raw, 0o600))
		content[name] = raw
	}
	_, err := OpenStore(killed)
	require.ErrorIs(t, err, ErrDamaged)
	for name, before := range content {
		after, err := os.ReadFile(filepath.Join(killed, name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(before, after), "%s changed", name)
	}
}

func execSQL(t *testing.T, path, text string) {
	t.Helper()
	db, conn, err := connect(path)
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), text)
	require.NoError(t, errors.Join(err, conn.Close(), db.Close()))
}

func TestAnInterruptedFirstStartLeavesAUsableState(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, dbName), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, pidName), []byte("nonsense"), 0o600))
	openStore(t, dir)
}

// Killed while it made the database, a process leaves a journal that must be
// rolled back before anything can be read.
func TestAFirstStartKilledInTheMiddleLeavesAUsableState(t *testing.T) {
	dir, killed := t.TempDir(), t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, dbName))
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		"PRAGMA cache_size = 2", // so that the transaction reaches the file before its end
		"BEGIN IMMEDIATE", "CREATE TABLE x (a)",
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200) INSERT INTO x SELECT randomblob(4000) FROM n",
	} {
		_, err := db.Exec(text)
		require.NoError(t, err)
	}
	for _, name := range []string{dbName, dbName + "-journal"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotEmpty(t, raw)
		require.NoError(t, os.WriteFile(filepath.Join(killed, name), raw, 0o600))
	}
	require.NoError(t, db.Close())
	require.NoError(t, openStore(t, killed).AddPageKey(t.Context(), "a", []byte("secret")))
}

func TestPageKeysSurviveARestartUntilRevoked(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("one")))
	require.NoError(t, s.AddPageKey(t.Context(), "b", []byte("two")))
	require.Error(t, s.AddPageKey(t.Context(), "a", []byte("again")), "ids are not reused")
	require.Error(t, s.AddPageKey(t.Context(), "", nil))
	require.NoError(t, s.RevokePageKey(t.Context(), "b"))
	require.NoError(t, s.RevokePageKey(t.Context(), "never was"))
	require.NoError(t, s.Close())

	s = openStore(t, dir)
	secret, ok, err := s.PageKey(t.Context(), "a")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "one", string(secret))
	_, ok, err = s.PageKey(t.Context(), "b")
	require.NoError(t, err)
	assert.False(t, ok)
	keys, err := s.PageKeys(t.Context())
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.WithinDuration(t, time.Now(), keys["a"], time.Minute)
}

func TestTheOldestPageKeysAreDropped(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i := range maxPageKeys + 3 {
		require.NoError(t, s.AddPageKey(t.Context(), fmt.Sprint(i), []byte{1}))
	}
	for i := range maxPageKeys + 3 {
		_, ok, err := s.PageKey(t.Context(), fmt.Sprint(i))
		require.NoError(t, err)
		assert.Equal(t, i >= 3, ok, i)
	}
}

func TestAStateThatAnotherProgramHoldsIsReportedAsSuch(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	_, err := s.conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 20") // the wait is not what is tested
	require.NoError(t, err)
	other, err := sql.Open("sqlite", filepath.Join(dir, dbName))
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	err = s.AddPageKey(t.Context(), "a", []byte("secret"))
	require.ErrorIs(t, err, ErrBusy)
	require.ErrorContains(t, err, "another program has it open and writes")
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, s.AddPageKey(t.Context(), "a", []byte("secret")), "it is over when the other is done")
}
