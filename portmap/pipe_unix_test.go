//go:build unix

package portmap

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// notFile makes what no reader must open: a pipe without a writer.
func notFile(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, syscall.Mkfifo(path, 0o600))
}
