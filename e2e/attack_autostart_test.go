package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An agent names the folder that --autostart serves: it must not get any
// folder read that way.
func TestAutostartServesNoFolderThatAnAgentJustNames(t *testing.T) {
	w := newWorld(t)
	home := filepath.Join(w.dir, "user") // HOME of the world
	plain, project := w.project("plain", twoTables), w.project("app", twoTables)
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".git"), 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(project, ".git"), 0o700))
	link := filepath.Join(w.dir, "link")
	require.NoError(t, os.Symlink("/etc", link))
	client := w.agent("--autostart")
	for root, why := range map[string]string{
		"/": "the root of a file system", "/etc": "a folder of the system", link: "a folder of the system", "/proc": "a folder of the system",
		home: "a home folder", plain: "was never served", w.dir: "a home folder",
	} {
		if _, err := os.Stat(root); err != nil {
			continue // another system's
		}
		got := client.ask(root, "fs_list_entries", nil)
		require.True(t, got.isError, root)
		assert.Equal(t, "MCP server not running for project: "+root, got.text())
		require.Len(t, got.items, 2)
		assert.Contains(t, got.items[1], "--autostart does not serve ")
		assert.Contains(t, got.items[1], why, root)
		assert.Contains(t, got.items[1], "berth serve ")
	}
	assert.Empty(t, w.portMap(), "nothing was started")
	assert.False(t, client.ask(project, "get-tables", nil).isError, "a project is")
	assert.Equal(t, 0, w.berth("stop", project).code)

	w.serve(plain).stop()
	assert.False(t, client.ask(plain, "get-tables", nil).isError, "a person served it once")
	assert.Equal(t, 0, w.berth("stop", plain).code)
}

func TestAutostartServesNoFolderOfAnotherUser(t *testing.T) {
	needs.Root(t)
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	require.NoError(t, os.Chown(root, 65534, 65534))
	got := w.agent("--autostart").ask(root, "get-tables", nil)
	require.Len(t, got.items, 2)
	assert.Contains(t, got.items[1], "it belongs to another user")
	assert.Empty(t, w.portMap())
}

func TestAnAutostartedInstanceEndsWhenTheProjectSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("idleTimeout: 1s\n"), 0o600))
	require.False(t, w.agent("--autostart").ask(root, "get-tables", nil).isError)
	require.Eventually(t, func() bool { return len(w.portMap()) == 0 }, 20*time.Second, 20*time.Millisecond, "it ends by itself")
}
