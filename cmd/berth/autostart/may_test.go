package autostart

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap"
)

func TestWhatAutostartNeverServes(t *testing.T) {
	if runtime.GOOS == "windows" {
		assert.NotEmpty(t, neverAutostart(`C:\`, ""))
		assert.NotEmpty(t, neverAutostart(`C:\Windows\System32`, ""))
		assert.NotEmpty(t, neverAutostart(`C:\Users\ann`, `C:\Users\bob`))
		assert.Empty(t, neverAutostart(`C:\Users\ann\src\app`, `C:\Users\ann`))
		return
	}
	for _, root := range []string{
		"/", "/etc", "/etc/ssh", "/proc", "/proc/1", "/proc/1/root", "/sys/kernel", "/dev/shm", "/usr", "/usr/lib/x", "/bin", "/boot",
		"/var", "/var/lib/app", "/tmp", "/root", "/home", "/home/ann", "/home/bob", "/data/ann", "/data", "/Users/bob", "/run", "/opt",
	} {
		assert.NotEmpty(t, neverAutostart(root, "/data/ann"), root)
	}
	for _, root := range []string{
		"/home/ann/app", "/root/app", "/Users/bob/src/app", "/data/ann/app", "/data/other", "/srv/app", "/opt/app", "/var/www/app",
		"/tmp/app", "/run/media/ann/disk/app", "/workspaces/app", "/etcetera",
	} {
		assert.Empty(t, neverAutostart(root, "/data/ann"), root)
	}
}

func TestAutostartServesAProjectAndWhatWasServed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	store := portmap.NewStore(filepath.Join(dir, "ports.json"), nil)
	folder := func(name string, marks ...string) string {
		root := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(root, 0o700))
		for _, mark := range marks {
			require.NoError(t, os.WriteFile(filepath.Join(root, mark), nil, 0o600))
		}
		return root
	}
	for _, mark := range projectMarks() {
		assert.NoError(t, mayAutostart(store, folder("of "+strings.ReplaceAll(mark, "*", "star"), strings.ReplaceAll(mark, "*", "app")), ""), mark)
	}

	plain := folder("plain", "notes.txt", "secrets.db")
	err = mayAutostart(store, plain, "")
	var refused *notAutostarted
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "--autostart does not serve "+plain+": it was never served, and nothing in it marks a project, such as .git, go.mod or package.json", err.Error())
	assert.Equal(t, "If it is to be served, a person starts it with: berth serve "+plain, refused.Hint())

	claim, err := store.Claim(t.Context(), plain)
	require.NoError(t, err)
	assert.NoError(t, mayAutostart(store, plain, ""), "it is served")
	require.NoError(t, claim.Listener.Close())
	_, err = store.Release(t.Context(), plain, claim.Port)
	require.NoError(t, err)
	assert.NoError(t, mayAutostart(store, plain, ""), "it was served")

	marked := folder("home", ".git")
	assert.ErrorAs(t, mayAutostart(store, marked, marked), &refused, "a mark does not make a home a project")
}

func TestALinkDoesNotHideAHome(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	home, link := filepath.Join(dir, "home"), filepath.Join(dir, "link")
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".git"), 0o700))
	if err := os.Symlink(home, link); err != nil {
		require.Equal(t, "windows", runtime.GOOS, "%v", err)
		t.Skip("a link needs a privilege there")
	}
	var refused *notAutostarted
	assert.ErrorAs(t, mayAutostart(portmap.NewStore(filepath.Join(dir, "ports.json"), nil), home, link), &refused)
}

func TestTheDocumentsListTheMarksOfAProject(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "autostart.md"))
	require.NoError(t, err)
	for _, mark := range projectMarks() {
		assert.Contains(t, string(text), "`"+mark+"`")
	}
}
