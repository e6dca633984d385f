package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// used is a world in which much was done: what berth keeps of it is there.
func used(t *testing.T) (w *world, root string) {
	w = newWorld(t)
	root = w.project("app", twoTables)
	w.own("designer: {openBrowser: false}\n")
	require.NoError(t, os.MkdirAll(filepath.Join(w.dir, "user"), 0o755))
	require.Zero(t, w.berthIn(root, "init", "--client", "claude-code", "--yes").code)
	in := w.serve(root)
	agent := w.agent()
	require.True(t, agent.design(root, map[string]any{"operation": "show"}).Success)
	require.Zero(t, w.atTTY(root, terminalInput{}, "open", "--print").code)
	got := w.berthIn(root, "verify")
	require.Zero(t, got.code, got.stderr)
	got = w.berthIn(root, "uninstall")
	require.Zero(t, got.code, got.stderr)
	assert.Contains(t, got.stdout, "berth stop "+root)
	assert.Contains(t, got.stdout, filepath.Join(root, ".mcp.json"))
	assert.Contains(t, got.stdout, "what stays: "+w.home+", with the designs of 1 project")
	got = w.atTTY(root, terminalInput{}, "uninstall", "--purge")
	assert.Equal(t, 4, got.code, "something runs: %s", got.stdout)
	require.Zero(t, w.berth("stop", root).code)
	in.wait()
	require.Zero(t, w.berthIn(root, "init", "--remove", "--yes", "--client", "claude-code").code)
	return w, root
}

func TestPurgeRemovesWhatBerthKeepsOnceAPersonTypedTheWord(t *testing.T) {
	t.Parallel()
	w, root := used(t)
	got := w.berth("uninstall", "--purge")
	assert.Equal(t, 3, got.code, "without a terminal")
	got = w.atTTY(root, terminalInput{prompt: "to remove it: ", text: "yes"}, "uninstall", "--purge")
	assert.Equal(t, 3, got.code, "only the word itself: %s", got.stdout)
	require.FileExists(t, w.stateFile("state.db"))

	got = w.atTTY(root, terminalInput{prompt: "to remove it: ", text: "purge"}, "uninstall", "--purge")
	require.Zero(t, got.code, got.stdout)
	assert.NoDirExists(t, w.home, "nothing of it is left: %s", got.stdout)
	assert.FileExists(t, filepath.Join(root, "app.db"), "what is the project's stays")
}

// BERTH_HOME may name any folder, the user's home too.
func TestPurgeLeavesWhatBerthDidNotPutThere(t *testing.T) {
	t.Parallel()
	w, root := used(t)
	own := filepath.Join(w.home, "thesis.txt")
	require.NoError(t, os.WriteFile(own, []byte("years of work"), 0o600))
	linked := filepath.Join(w.dir, "elsewhere")
	require.NoError(t, os.MkdirAll(linked, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(linked, "kept"), nil, 0o600))
	symlink(t, linked, filepath.Join(w.home, "copies-of-mine"))
	require.NoError(t, os.RemoveAll(filepath.Join(w.home, "signin")))
	symlink(t, linked, filepath.Join(w.home, "signin"))

	got := w.atTTY(root, terminalInput{prompt: "to remove it: ", text: "purge"}, "uninstall", "--purge")
	require.Zero(t, got.code, got.stdout)
	assert.Contains(t, got.stdout, "not berth's, and left: "+own)
	assert.FileExists(t, own)
	assert.FileExists(t, filepath.Join(linked, "kept"), "a link is removed, not what it leads to")
	entries, err := os.ReadDir(w.home)
	require.NoError(t, err)
	assert.Len(t, entries, 2)
}
