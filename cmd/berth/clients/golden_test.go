package clients

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// world is a machine with a project and a berth that is on no PATH.
type world struct {
	Machine
	root   string
	berth  Berth
	record *Record
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &world{root: filepath.Join(dir, "project")}
	w.Machine = Machine{GOOS: runtime.GOOS, Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}
	for _, folder := range []string{w.root, w.Home} {
		require.NoError(t, os.Mkdir(folder, 0o755))
	}
	program := filepath.Join(dir, "berth")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	require.NoError(t, os.WriteFile(program, nil, 0o755))
	t.Setenv("PATH", dir)
	w.berth = ThisBerth(program)
	require.True(t, w.berth.OnPath())
	w.record = OpenRecord(filepath.Join(dir, "state", "clients.json"))
	return w
}

// targets are all files of all clients.
func (w *world) targets() []*Target {
	var list []*Target
	for _, c := range All() {
		list = append(append(list, c.Targets(w.Machine, Project, w.root)...), c.Targets(w.Machine, User, w.root)...)
	}
	return list
}

func (w *world) put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o640))
}

// register adds berth to one file; false: there was nothing to do.
func (w *world) register(t *testing.T, target *Target) bool {
	t.Helper()
	change, _, err := target.Add(w.berth)
	require.NoError(t, err)
	if change == nil {
		return false
	}
	require.NoError(t, Write([]*Change{change}, w.record))
	return true
}

// TestFilesOfEveryClient has one golden file for each file that a client reads:
// what stood there, and what stands there with berth.
func TestFilesOfEveryClient(t *testing.T) {
	for _, target := range newWorld(t).targets() {
		name := target.Client.ID + "-" + string(target.Scope) + "-" + filepath.Base(target.Path)
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("testdata", "files", name+".txtar")
			archive, err := txtar.ParseFile(golden)
			require.NoError(t, err, "write its section before; go test -update writes the rest")
			require.Equal(t, "before", archive.Files[0].Name)
			before := string(archive.Files[0].Data)
			crlf := strings.Contains(string(archive.Comment), "CRLF") // a checkout may change line ends
			if crlf {
				before = strings.ReplaceAll(before, "\n", "\r\n")
			}
			w := newWorld(t)
			for _, target := range w.targets() { // of this world, the same one
				if name != target.Client.ID+"-"+string(target.Scope)+"-"+filepath.Base(target.Path) {
					continue
				}
				after := roundTrip(t, w, target, before)
				if crlf {
					assert.Equal(t, strings.Count(after, "\n"), strings.Count(after, "\r\n"))
					after = strings.ReplaceAll(after, "\r\n", "\n")
				}
				created := roundTrip(t, w, target, "")
				files := []txtar.File{archive.Files[0], {Name: "after", Data: []byte(after)}, {Name: "created", Data: []byte(created)}}
				program := strings.Trim(quoteJSON(w.berth.Program()), `"`)
				after = strings.ReplaceAll(string(txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: files})), program, "/tools/berth")
				if *update {
					require.NoError(t, os.WriteFile(golden, []byte(after), 0o644))
				}
				want, err := os.ReadFile(golden)
				require.NoError(t, err)
				assert.Equal(t, string(want), after)
			}
		})
	}
}

// roundTrip registers berth in a file with this text, or in none, takes it out
// again, and returns what stood there between.
func roundTrip(t *testing.T, w *world, target *Target, before string) string {
	t.Helper()
	var mode os.FileMode // Windows has others than were asked for
	if before != "" {
		w.put(t, target.Path, before)
		info, err := os.Stat(target.Path)
		require.NoError(t, err)
		mode = info.Mode()
	}
	require.True(t, w.register(t, target))
	after, err := os.ReadFile(target.Path)
	require.NoError(t, err)
	assert.False(t, w.register(t, target), "a second time changes nothing")
	finding, err := target.Look()
	require.NoError(t, err)
	assert.True(t, finding.Found)
	assert.Equal(t, Ours, w.berth.Judge(finding.Entry))

	change, err := target.Remove(w.record)
	require.NoError(t, err)
	require.NotNil(t, change)
	require.NoError(t, Write([]*Change{change}, w.record))
	back, err := os.ReadFile(target.Path)
	if before == "" {
		assert.ErrorIs(t, err, os.ErrNotExist)
	} else {
		require.NoError(t, err)
		assert.Equal(t, before, string(back), "the bytes are back")
		info, err := os.Stat(target.Path)
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode())
	}

	// The same by the text alone, as in a clone of what was registered elsewhere.
	w.put(t, target.Path, string(after))
	lost := OpenRecord(filepath.Join(t.TempDir(), "none.json"))
	change, err = target.Remove(lost)
	require.NoError(t, err)
	require.NoError(t, Write([]*Change{change}, lost))
	if before != "" {
		back, err = os.ReadFile(target.Path)
		require.NoError(t, err)
		assert.Equal(t, before, string(back), "the bytes are back without the record")
	}
	require.NoError(t, os.RemoveAll(target.Path))
	return string(after)
}

func TestNothingStaysBehind(t *testing.T) {
	w := newWorld(t)
	var changes []*Change
	for _, target := range w.targets() {
		change, _, err := target.Add(w.berth)
		require.NoError(t, err)
		changes = append(changes, change)
	}
	require.NoError(t, Write(changes, w.record))
	w.record = OpenRecord(w.record.path) // as another run of berth init
	changes = nil
	for _, target := range w.targets() {
		change, err := target.Remove(w.record)
		require.NoError(t, err)
		require.NotNil(t, change, target.Shown)
		changes = append(changes, change)
	}
	require.NoError(t, Write(changes, w.record))
	for _, dir := range []string{w.root, w.Home} {
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left, "folders that were made go too")
	}
	assert.NoFileExists(t, w.record.path)
}

func TestAFileThatChangedSinceItWasShownIsNotWritten(t *testing.T) {
	w := newWorld(t)
	targets := ByID("vscode").Targets(w.Machine, Project, w.root)
	var changes []*Change
	for _, target := range targets {
		change, _, err := target.Add(w.berth)
		require.NoError(t, err)
		changes = append(changes, change)
	}
	w.put(t, targets[1].Path, "{}")
	var changed *ChangedError
	require.ErrorAs(t, Write(changes, w.record), &changed)
	left, err := os.ReadDir(filepath.Dir(targets[0].Path))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing but what the other program wrote")
	assert.Equal(t, "tasks.json", left[0].Name())
}
