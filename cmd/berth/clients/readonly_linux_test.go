package clients

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAFolderThatCannotBeWrittenStopsAll writes as another user would, for
// this thread alone: the administrator may write everywhere.
func TestAFolderThatCannotBeWrittenStopsAll(t *testing.T) {
	w := newWorld(t)
	folder := filepath.Join(w.root, ".vscode")
	require.NoError(t, os.Mkdir(folder, 0o555))
	if os.Geteuid() == 0 {
		const nobody = 65534
		require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(w.root)), 0o755))
		require.NoError(t, os.Chmod(filepath.Dir(w.root), 0o777))
		require.NoError(t, os.Chmod(w.root, 0o777))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		require.NoError(t, syscall.Setfsuid(nobody))
		defer func() { require.NoError(t, syscall.Setfsuid(0)) }()
	}
	var changes []*Change
	for _, id := range []string{"claude-code", "cursor", "vscode"} {
		for _, target := range ByID(id).Targets(w.Machine, Project, w.root) {
			change, _, err := target.Add(w.berth)
			require.NoError(t, err)
			changes = append(changes, change)
		}
	}
	err := Write(changes, w.record)
	var file *FileError
	require.ErrorAs(t, err, &file)
	assert.Equal(t, ".vscode/mcp.json: .vscode cannot be written (permission denied)", err.Error())
	assert.Contains(t, file.Hint(), "leave VS Code out with --client")
	left, err := os.ReadDir(w.root)
	require.NoError(t, err)
	require.Len(t, left, 1, "neither a file nor a folder of the others")
	assert.NoFileExists(t, w.record.path)
}
