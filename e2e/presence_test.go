package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Somebody tidies up in berth's directory while instances run: each finds its
// way back by itself, and ends as cleanly as ever.
func TestRunningInstancesComeBackAfterTheirFilesAreLost(t *testing.T) {
	cases := map[string]func(t *testing.T, w *world){
		"the map deleted": func(t *testing.T, w *world) { require.NoError(t, os.Remove(w.mapFile())) },
		"the map broken":  func(t *testing.T, w *world) { require.NoError(t, os.WriteFile(w.mapFile(), []byte("{oops"), 0o600)) },
		"an old map": func(t *testing.T, w *world) {
			require.NoError(t, os.WriteFile(w.mapFile(), []byte(`{"/gone": 1}`), 0o600))
		},
		"no instance files": func(t *testing.T, w *world) { require.NoError(t, os.RemoveAll(filepath.Join(w.home, "instances"))) },
		"a directory as the map": func(t *testing.T, w *world) {
			require.NoError(t, os.Remove(w.mapFile()))
			require.NoError(t, os.Mkdir(w.mapFile(), 0o700))
			require.NoError(t, os.Remove(w.mapFile()))
		},
	}
	for name, lose := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			w := newWorld(t)
			a, b := w.project("a", twoTables), w.project("b", twoTables)
			first, second := w.serve(a), w.serve(b)
			client := w.agent()
			lose(t, w)
			for _, root := range []string{a, b} {
				require.Eventually(t, func() bool { return !client.ask(root, "get-tables", nil).isError }, patience, 20*time.Millisecond)
			}
			again := w.serve(a) // hands over as ever
			first.wait()
			assert.Equal(t, first.Port, again.Port)
			again.stop()
			second.stop()
			assert.NotContains(t, w.portMap(), a)
			assert.NotContains(t, w.portMap(), b)
		})
	}
}

func (w *world) mapFile() string { return filepath.Join(w.home, "ports.json") }

func TestAnInstanceWhoseProjectWasDeletedCanBeStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	require.NoError(t, os.RemoveAll(root))
	seen := w.berthIn(w.dir, "doctor")
	assert.Equal(t, 1, seen.code)
	assert.Contains(t, seen.stdout, "berth stop "+root)
	got := w.berth("stop", root)
	assert.Equal(t, 0, got.code, got.stderr)
	in.wait()
	assert.Empty(t, w.portMap())
	again := w.berth("stop", root)
	assert.Equal(t, 2, again.code, "neither served nor there")
	assert.Contains(t, again.stderr, "does not exist")
}
