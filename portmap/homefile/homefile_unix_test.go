//go:build unix

package homefile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap/homefile"
)

func TestWhatNeverEndsIsNotRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	zero := filepath.Join(t.TempDir(), "zero")
	require.NoError(t, os.Symlink("/dev/zero", zero))
	for path, want := range map[string]string{pipe: "is a named pipe", zero: "is a device"} {
		done := make(chan error, 1)
		go func() { _, err := homefile.Read(path, 1<<20); done <- err }()
		select {
		case err := <-done:
			require.ErrorIs(t, err, homefile.ErrNotRegular)
			assert.ErrorContains(t, err, want)
		case <-time.After(20 * time.Second):
			require.Fail(t, "the read hangs", path)
		}
	}
}

func TestWhatIsOpenToOthersIsClosedToThem(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	note, err := homefile.Secure(dir)
	require.NoError(t, err)
	assert.Contains(t, note, dir+" was open to other users (mode 0777)")
	assertMode(t, dir, 0o700)
	file := filepath.Join(dir, "config.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	note, err = homefile.SecureFile(file)
	require.NoError(t, err)
	assert.Contains(t, note, "mode 0644")
	assertMode(t, file, 0o600)
	note, err = homefile.SecureFile(file)
	require.NoError(t, err)
	assert.Empty(t, note, "nothing is left to say")
}

func TestWhatOthersCouldWriteIsNotBelieved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Chmod(file, 0o666))
	_, err := homefile.SecureFile(file)
	require.ErrorContains(t, err, "can be written by other users (mode 0666)")
	assertMode(t, file, 0o666)
}

func assertMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, want, info.Mode().Perm())
}
