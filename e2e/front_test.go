//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallFront installs the small front-end as berth, as a package does, with
// the whole program as berth-full beside it where full is set.
func smallFront(t *testing.T, full bool) (berth string) {
	t.Helper()
	dir := t.TempDir()
	berth = filepath.Join(dir, "berth")
	build := exec.Command("go", "build", "-o", berth, "github.com/berth-dev/berth/cmd/front")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	if full {
		whole, err := filepath.Abs(binary)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(whole, filepath.Join(dir, "berth-full")))
	}
	return berth
}

func TestTheSmallFrontEndDoesWhatTheWholeProgramDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	small := smallFront(t, true)

	// An agent's call, through a project that the small program starts.
	root := w.project("app", twoTables)
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module app\n"), 0o644))
	cmd := exec.Command(small, "mcp", "--autostart")
	cmd.Env = w.env
	a := w.connected(mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, nil), cmd, nil)
	got := a.ask(root, "get-tables", nil)
	require.False(t, got.isError, got.text())
	assert.Contains(t, got.text(), "customer")
	t.Cleanup(func() { w.berth("stop", root) })

	// Every other command is the whole program's, with its exit code.
	for _, args := range [][]string{{"version"}, {"mcp", "--help"}, {"mcp", "--nonsense"}, {"nonsense"}, {}} {
		assert.Equal(t, w.berth(args...), w.run(small, "", args...), args)
	}

	// A link to it from elsewhere, as package managers make, finds the rest.
	link := filepath.Join(t.TempDir(), "berth")
	require.NoError(t, os.Symlink(small, link))
	assert.Equal(t, w.berth("version"), w.run(link, "", "version"))
}

func TestTheSmallFrontEndWithoutTheWholeProgramSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	small := smallFront(t, false)
	got := w.run(small, "", "ls")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "berth-full, which must lie beside "+small)
	assert.Contains(t, got.stderr, "install berth again")
}
