//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What lies in the map's place may never end. No command waits for it.
func TestAMapThatIsAPipeOrADeviceHangsNoCommand(t *testing.T) {
	t.Parallel()
	make := map[string]func(path string) error{
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":     func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for _, file := range []string{"ports.json", "reservations.json", "ports.json.lock"} {
		for kind, make := range make {
			t.Run(file+" is "+kind, func(t *testing.T) {
				w := newWorld(t)
				root := w.project("app", twoTables)
				require.NoError(t, os.MkdirAll(w.home, 0o700))
				require.NoError(t, make(filepath.Join(w.home, file)))
				commands := [][]string{{"doctor", root}, {"serve", root}}
				if file == "ports.json" {
					commands = append(commands, []string{"ls"}, []string{"call", "get-tables"})
				}
				for _, args := range commands {
					got := w.berthIn(root, args...)
					assert.NotEqual(t, 0, got.code, "berth %v", args)
					if args[0] != "call" { // whose words are the documents'
						assert.Contains(t, got.stdout+got.stderr, file+" is "+kind, "berth %v", args)
					}
				}
			})
		}
	}
}

func TestAHomeThatOthersMayEnterIsClosedWithAWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.serve(root).stop()
	key := filepath.Join(w.home, "person.key")
	config := filepath.Join(w.home, "config.yaml")
	before, err := os.ReadFile(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(config, []byte("designer:\n  openBrowser: false\n"), 0o600))
	for path, mode := range map[string]os.FileMode{w.home: 0o777, filepath.Join(w.home, "instances"): 0o755, key: 0o644, config: 0o644} {
		require.NoError(t, os.Chmod(path, mode))
	}
	in := w.serve(root)
	for path, mode := range map[string]os.FileMode{w.home: 0o700, filepath.Join(w.home, "instances"): 0o700, key: 0o600, config: 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode().Perm(), path)
		assert.Contains(t, in.stderr.String(), path+" was open to other users")
	}
	after, err := os.ReadFile(key)
	require.NoError(t, err)
	assert.NotEqual(t, string(before), string(after), "whoever read the old key has nothing")

	require.NoError(t, os.Chmod(config, 0o666))
	_, err = w.tryServe(root)
	require.ErrorContains(t, err, config+" can be written by other users")
	assert.NoError(t, in.cmd.Process.Signal(syscall.Signal(0)), "the instance there still serves")
}

func TestAHomeOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	needs.Root(t)
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.MkdirAll(w.home, 0o700))
	require.NoError(t, os.Chown(w.home, 65534, 65534))
	_, err := w.tryServe(root)
	require.ErrorContains(t, err, fmt.Sprintf("%s belongs to user 65534", w.home))
	got := w.berth("doctor", root)
	assert.Contains(t, got.stdout, "belongs to user 65534")
}

func TestAHomeThatIsALinkToNowhereIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.Symlink(filepath.Join(w.dir, "gone"), w.home))
	_, err := w.tryServe(root)
	require.ErrorContains(t, err, "is a link to")
	got := w.berth("doctor", root)
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stdout, "is a link to")
}

// One odd member in the map costs no running project a call.
func TestAnOddEntryInTheMapIsSeenPast(t *testing.T) {
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	client := w.agent()
	for _, text := range []string{
		`{"_comment": "mine", "/elsewhere": 50001, "%s": %d}`, `{"/x": "50001", "/elsewhere": 50001, "%s": %d}`,
		"\ufeff" + `{"/elsewhere": 50001, "%s": %d}`, "{ // mine\n" + `"/elsewhere": 50001, "%s": %d}`,
	} {
		text = fmt.Sprintf(text, root, in.Port)
		require.NoError(t, os.WriteFile(filepath.Join(w.home, "ports.json"), []byte(text), 0o600))
		got := client.ask(root, "get-database-type", nil)
		assert.False(t, got.isError, "%s: %s", text, got.text())
		assert.Contains(t, w.berth("ls").stdout, "/elsewhere", text)
	}
	other := w.project("other", twoTables)
	w.serve(other)
	assert.Contains(t, w.portMap(), "/elsewhere", "what berth writes has it still")
}
