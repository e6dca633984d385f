package e2e

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
)

// shell runs a script in a folder, in which "$@" is berth, with the world's
// environment.
func (w *world) shell(dir, script string, args ...string) commandResult {
	w.t.Helper()
	sh, err := exec.LookPath("sh")
	require.NoError(w.t, err)
	return w.run(sh, dir, append([]string{"-c", script, "sh", binary}, args...)...)
}

// Network file systems without a lock service have no locks, and neither have
// some in user space.
func TestAFileSystemWithoutLocksIsNamedWithWhatToDo(t *testing.T) {
	needs.Program(t, "strace")
	for _, errno := range []string{"ENOLCK", "ENOSYS"} {
		t.Run(errno, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("app", twoTables)
			got := w.shell(root, `exec timeout 60 strace -f -o /dev/null -e trace=flock -e inject=flock:error=`+errno+` "$@"`, "serve", root)
			assert.Equal(t, 1, got.code, got.stderr)
			assert.Contains(t, got.stderr, "hint: that file system has no file locks, without which two instances could write one state; let BERTH_HOME name a folder on a local disk\n")
			assert.Empty(t, w.portMap(), "nothing is claimed without a lock")
			w.serve(root) // with locks: nothing was left behind
		})
	}
}

// A home on a read-only file system, as an image or a container has it.
func TestAReadOnlyHomeIsNamedWithWhatToDo(t *testing.T) {
	needs.Root(t)
	needs.Program(t, "unshare")
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.own("")
	const readOnly = `mount --bind "$BERTH_HOME" "$BERTH_HOME" && mount -o remount,ro,bind "$BERTH_HOME" && exec timeout 60 "$@"`
	in := func(args ...string) commandResult {
		return w.shell(root, `exec unshare -m sh -c '`+readOnly+`' sh "$@"`, args...)
	}
	const hint = "hint: that file system is read-only; if it is berth's own folder, let BERTH_HOME name one that can be written\n"
	got := in("serve", root)
	assert.Equal(t, 1, got.code, got.stderr)
	assert.Contains(t, got.stderr, "read-only file system")
	assert.Contains(t, got.stderr, hint)
	got = in("doctor", root)
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stdout, "read-only file system")
	assert.Contains(t, got.stdout, hint)
	assert.NotContains(t, got.stdout, "end the process that holds it")

	w.serve(root) // elsewhere it can be written: what reads goes on
	got = in("ls")
	assert.Zero(t, got.code, got.stderr)
	assert.Contains(t, got.stdout, root)
	got = in("call", "get-tables")
	assert.Zero(t, got.code, got.stderr)
}

// A process may have so few descriptors that it cannot even start, or not
// answer: it says so, and leaves nothing in the way of the next.
func TestAnInstanceWithTooFewDescriptorsSaysSo(t *testing.T) {
	long.Thoroughly(t)
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	ended := 0
	for n := 10; n <= 28; n++ { // with fewer, Go itself does not start
		in, err := w.starting(exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$@"`, n), "sh", binary, "serve", root, "--json"))
		if err == nil {
			in.stop()
			continue
		}
		ended++
		require.NotNil(t, in, err)
		assert.Equal(t, 1, in.cmd.ProcessState.ExitCode(), "%d descriptors: %v", n, err)
		assert.NotContains(t, err.Error(), "goroutine ", n)
		assert.NotContains(t, err.Error(), "not told apart", "%d descriptors: it would let everybody in", n)
		assert.Regexp(t, `limit of open files.*ulimit -n`, err, "%d descriptors", n)
	}
	assert.Positive(t, ended)
	w.serve(root)
	assert.Contains(t, w.agent().ask(root, "get-tables", nil).text(), "customer")
}

// An instance that is ended while all its descriptors are in use removes its
// file once one is free.
func TestAnInstanceThatEndsWithoutDescriptorsWaitsForOne(t *testing.T) {
	needs.Program(t, "prlimit")
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	limit := func(n int) {
		require.NoError(t, exec.Command("prlimit", "--pid", strconv.Itoa(in.PID), fmt.Sprintf("--nofile=%d:4096", n)).Run())
	}
	limit(3)
	require.NoError(t, in.cmd.Process.Signal(syscall.SIGTERM))
	time.Sleep(200 * time.Millisecond) // in which it needs one
	limit(4096)
	in.wait()
	assert.Zero(t, in.cmd.ProcessState.ExitCode(), in.stderr)
	assert.NoFileExists(t, filepath.Join(w.home, "instances", strconv.Itoa(in.Port)+".json"))
}

// An instance whose descriptors are taken answers again when they are given back.
func TestAnInstanceOutlivesTheLackOfDescriptors(t *testing.T) {
	needs.Program(t, "prlimit")
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	const most = 128
	require.NoError(t, exec.Command("prlimit", "--pid", strconv.Itoa(in.PID), "--nofile="+strconv.Itoa(most)).Run())
	client := w.agent()
	require.Contains(t, client.ask(root, "get-tables", nil).text(), "customer")

	var idle []net.Conn
	for range 2 * most {
		c, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(in.Port)), time.Second)
		if err != nil {
			break
		}
		idle = append(idle, c)
	}
	require.Greater(t, len(idle), most/2)
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", in.PID))
	require.NoError(t, err)
	t.Logf("%d connections, %d descriptors", len(idle), len(fds))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := client.try(ctx, root, "run-query", map[string]any{"query": "SELECT count(*) FROM customer"})
	require.NoError(t, err, "an answer or a refusal, never silence")
	t.Logf("meanwhile: %.200s", got.text())
	for _, c := range idle {
		c.Close()
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		got, err := client.try(ctx, root, "run-query", map[string]any{"query": "SELECT count(*) FROM customer"})
		assert.NoError(c, err)
		assert.False(c, got.isError, got.text())
	}, patience, 100*time.Millisecond)
	assert.Contains(t, w.berth("ls").stdout, root)
}
