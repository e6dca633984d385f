//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func endsOfThisSystem() map[string]func(f *front) error {
	return map[string]func(f *front) error{
		"SIGINT":  func(f *front) error { return f.Process.Signal(os.Interrupt) },
		"SIGTERM": func(f *front) error { return f.Process.Signal(syscall.SIGTERM) },
	}
}

// assertDetached checks that a process has a session of its own and none of
// its starter's secrets.
func assertDetached(t *testing.T, pid int) {
	t.Helper()
	group, err := syscall.Getpgid(pid)
	require.NoError(t, err)
	assert.Equal(t, pid, group)
	if runtime.GOOS != "linux" {
		return
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	require.NoError(t, err)
	assert.NotContains(t, string(environ), "SOME_API_KEY")
	assert.Contains(t, string(environ), "BERTH_HOME=")
	assert.Contains(t, string(environ), "DB_FILE=app.db")
}

func TestForceEndsAnInstanceThatHangs(t *testing.T) {
	t.Parallel()
	y := newYard(t, "")
	y.env = append(y.env, "BERTH_PROOF_TIMEOUT=500ms") // it is waited for in vain
	cmd, a := y.serve()
	require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))

	out, err := y.run("serve")
	requireExit(t, err, 4, out)
	assert.Contains(t, out, "process "+strconv.Itoa(a.PID)+" serves "+y.root+" and does not hand over")
	assert.Contains(t, out, "hint: end it with: berth stop --force "+y.root)
	out, err = y.run("stop")
	requireExit(t, err, 4, out)
	assert.Contains(t, out, "does not answer")

	out, err = y.run("stop", "--force")
	require.NoError(t, err, out)
	require.Error(t, cmd.Wait(), "it was killed")
	out, err = y.run("doctor")
	require.NoError(t, err, "nothing is left behind: %s", out)
	out, err = y.run("stop", "--force")
	requireExit(t, err, 5, out)
}

func TestForceSparesAProcessThatIsNotTheInstance(t *testing.T) {
	y := newYard(t, "")
	cmd, a := y.serve()
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	out, err := y.run("stop", "--force")
	requireExit(t, err, 5, out)
	assert.NotZero(t, a.PID)
}

func requireExit(t *testing.T, err error, code int, out string) {
	t.Helper()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v: %s", err, out)
	require.Equal(t, code, exit.ExitCode(), out)
}
