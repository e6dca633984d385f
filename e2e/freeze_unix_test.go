//go:build unix

package e2e

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// freeze stops an instance with SIGSTOP: it keeps its port, accepts
// connections through the kernel and answers nothing.
func freeze(t *testing.T, in *instance) {
	t.Helper()
	require.NoError(t, in.cmd.Process.Signal(syscall.SIGSTOP))
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(in.PID) + "/stat")
		return err != nil || strings.Contains(string(raw), ") T ") // only Linux tells
	}, patience, time.Millisecond, "it is stopped")
}

// thaw lets a frozen instance go on.
func thaw(t *testing.T, in *instance) {
	t.Helper()
	require.NoError(t, in.cmd.Process.Signal(syscall.SIGCONT))
}
