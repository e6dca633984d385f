//go:build unix

package session

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAStateThatCouldNotBeWrittenCanOnceItsModeIsBack(t *testing.T) {
	if !asOrdinaryUser(t) {
		return // it ran in a process that modes bind
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

// nobody is a user without rights on the systems that have one by this number.
const nobody = 65534

// asOrdinaryUser reports that this process is bound by file modes. As root it
// is not: then the test is run in a process of another user, and the answer
// is false.
func asOrdinaryUser(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	dir, err := os.MkdirTemp("", "berth-user-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	program := filepath.Join(dir, "session.test")
	copyProgram(t, program)
	cmd := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	from, err := os.Open(self)
	require.NoError(t, err)
	defer from.Close()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(file, from)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}
