package designs

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADiskThatTakesNothingHurtsNothingElse(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	require.NoError(t, os.MkdirAll(filepath.Join(p.root, ".berth"), 0o755))
	inTheWay := filepath.Join(p.root, ".berth", "designs")
	require.NoError(t, os.WriteFile(inTheWay, nil, 0o644))
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "it is told")
	apply(t, d, addTable("port"))
	assert.Equal(t, map[string]string{"boat": "id name", "crew": "id", "port": "id"}, tables(t, d))
	require.NoError(t, os.Remove(inTheWay))
	apply(t, d, addTable("pier"))
	p.settledWith(d)
	p.eventually(func() bool { return len(p.keeper.Problems()) == 0 }, "and over")
	assert.Equal(t, 1, strings.Count(p.log.String(), "level=WARN"), p.log.String())
}

func TestNothingIsReadOrWrittenOutsideTheProject(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "main.json"), []byte("secret"), 0o644))
	for name, link := range map[string]func(root string) error{
		"the folder": func(root string) error { return os.Symlink(outside, filepath.Join(root, ".berth", "designs")) },
		"the file": func(root string) error {
			if err := os.Mkdir(filepath.Join(root, ".berth", "designs"), 0o755); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "main.json"), filepath.Join(root, ".berth", "designs", "main.json"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			require.NoError(t, os.MkdirAll(filepath.Join(p.root, ".berth"), 0o755))
			if err := link(p.root); err != nil {
				assert.ErrorContains(t, err, "privilege", "Windows lets not everyone make links")
				return
			}
			d := p.boats()
			apply(t, d, addTable("crew"))
			p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "it is told")
			assert.Contains(t, p.keeper.Problems()[0].Reason, "escapes")
			entries, err := os.ReadDir(outside)
			require.NoError(t, err)
			assert.Len(t, entries, 1)
			text, err := os.ReadFile(filepath.Join(outside, "main.json"))
			require.NoError(t, err)
			assert.Equal(t, "secret", string(text))
		})
	}
}

func TestWhatIsNoOrdinaryFileIsLeftAlone(t *testing.T) {
	p := newProject(t)
	require.NoError(t, os.MkdirAll(p.path("main.json"), 0o755))
	apply(t, p.boats(), addTable("crew"))
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "it is told")
	assert.Contains(t, p.keeper.Problems()[0].Reason, "no ordinary file")
}

func TestNamesOfConnectionsBecomeNamesThatEveryFileSystemHas(t *testing.T) {
	seen := map[string]string{}
	for name, want := range map[string]string{
		"main": "main", "Orders_2-a.db": "Orders_2-a.db", "data/app.db": "data%2Fapp.db", "..": "%2E%2E", ".env": "%2Eenv", "a.layout": "a%2Elayout",
		"a.LAYOUT": "a%2ELAYOUT", "a.rejected-2": "a%2Erejected-2", "a.": "a%2E", "con": "%63on", "LPT1.x": "%4CPT1.x", "a b": "a%20b", "a%20b": "a%2520b",
		"größe": "gr%C3%B6%C3%9Fe", "": "", `\\x`: "%5C%5Cx",
	} {
		assert.Equal(t, want, stem(name), name)
		assert.Empty(t, seen[stem(name)])
		seen[stem(name)] = name
	}
	a, b := stem(strings.Repeat("ä", 99)+"a"), stem(strings.Repeat("ä", 99)+"b")
	assert.NotEqual(t, a, b)
	assert.LessOrEqual(t, len(a), maxStem)
}

// The moment between the last look at a file and the new one in its place is
// short, and on a busy machine it was long: the text of another program went
// without a word.
func TestWhatAnotherProgramWritesInTheLastMomentStays(t *testing.T) {
	for how, write := range map[string]func(path string) error{
		"written in place": func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o644) },
		"renamed into place": func(path string) error {
			if err := os.WriteFile(path+".lock", []byte("theirs"), 0o644); err != nil {
				return err
			}
			return os.Rename(path+".lock", path)
		},
		"removed": os.Remove,
	} {
		t.Run(how, func(t *testing.T) {
			dir := t.TempDir()
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			defer root.Close()
			path := filepath.Join(dir, folder, "main.json")
			d := disk{root: root}
			was, err := d.write("main.json", []byte("before"))
			require.NoError(t, err)
			d.late = func() { require.NoError(t, write(path)) }
			_, err = d.replace("main.json", []byte("ours"), was)
			if runtime.GOOS != "linux" {
				require.NoError(t, err, "the moment remains where files cannot be exchanged")
				return
			}
			require.ErrorIs(t, err, errAgain)
			if how != "removed" {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, "theirs", string(text))
			}
			entries, err := os.ReadDir(filepath.Dir(path))
			require.NoError(t, err)
			assert.LessOrEqual(t, len(entries), 1, "no temporary file is left")

			d.late = nil
			was = d.stamp("main.json")
			_, err = d.replace("main.json", []byte("ours"), was)
			require.NoError(t, err)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, "ours", string(text))
		})
	}
}
