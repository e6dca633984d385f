//go:build unix

package broker

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// Stop freezes the server with SIGSTOP: it keeps its connections and answers
// nothing.
func (b *Broker) Stop() {
	b.t.Helper()
	require.NoError(b.t, b.process.Process.Signal(syscall.SIGSTOP))
	require.Eventually(b.t, func() bool { return isStopped(b.process.Process.Pid) }, patience, time.Millisecond, "it is stopped")
}

// isStopped reports whether every thread of a process is stopped, which
// happens some time after the signal. Only Linux has it in files.
func isStopped(pid int) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return runtime.GOOS != "linux"
	}
	for _, thread := range threads {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/stat", pid, thread.Name()))
		if err == nil && !strings.Contains(string(raw), ") T ") {
			return false
		}
	}
	return true
}

// Continue wakes a server that was stopped.
func (b *Broker) Continue() {
	b.t.Helper()
	require.NoError(b.t, b.process.Process.Signal(syscall.SIGCONT))
}

// Reload has the server read its configuration again.
func (b *Broker) Reload() {
	b.t.Helper()
	require.NoError(b.t, b.process.Process.Signal(syscall.SIGHUP))
}
