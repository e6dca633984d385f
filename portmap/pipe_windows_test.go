package portmap

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// notFile makes a folder: this system keeps its pipes elsewhere.
func notFile(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.Mkdir(path, 0o700))
}
