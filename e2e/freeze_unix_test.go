//go:build unix

package e2e

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// freeze stops an instance with SIGSTOP: it keeps its port, accepts
// connections through the kernel and answers nothing.
func freeze(t *testing.T, in *instance) {
	t.Helper()
	require.NoError(t, in.cmd.Process.Signal(syscall.SIGSTOP))
}
