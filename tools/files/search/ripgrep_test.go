package search

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools/files/tree"
)

// likeUs makes ripgrep search the files that we do, in the way we do: with
// hidden files, by the project's own ignore files, binaries too (those that
// are binaries to us are left out afterwards).
var likeUs = []string{"--no-config", "--hidden", "--no-ignore-global", "--no-ignore-parent", "--no-ignore-dot", "--no-require-git", "--glob=!.git", "--max-filesize=4194304", "--text", "--crlf"}

// goSources is where the sources of Go and its library are: a large tree that
// every machine has on which these tests run.
func goSources(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	src, err := filepath.EvalSymlinks(filepath.Join(strings.TrimSpace(string(out)), "src"))
	require.NoError(t, err)
	return src
}

// ripgrep runs rg in a folder. It returns the output and the processor time.
func ripgrep(t testing.TB, dir string, q Query, also ...string) ([]byte, time.Duration) {
	t.Helper()
	args := slices.Concat(likeUs, also)
	if !q.Regexp {
		args = append(args, "--fixed-strings")
	}
	if !q.CaseSensitive {
		args = append(args, "--ignore-case")
	}
	cmd := exec.Command("rg", append(args, "--regexp", q.Text, "./")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil // nothing was found
	}
	require.NoError(t, err)
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// place is where a hit is, as it is shown to people.
type place struct {
	path         string
	line, column int
}

// textOf is how rg's JSON has a text: as such, or in base64.
type textOf struct {
	Text  *string
	Bytes string
}

func (x textOf) bytes(t testing.TB) []byte {
	if x.Text != nil {
		return []byte(*x.Text)
	}
	raw, err := base64.StdEncoding.DecodeString(x.Bytes)
	require.NoError(t, err)
	return raw
}

// ripgrepFinds lists every hit of rg's, sorted by path.
func ripgrepFinds(t testing.TB, dir string, q Query, also ...string) []place {
	t.Helper()
	var all []place
	binary := map[string]bool{}
	out, _ := ripgrep(t, dir, q, append(also, "--json")...)
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var m struct {
			Type string
			Data struct {
				Path, Lines textOf
				LineNumber  int `json:"line_number"`
				Submatches  []struct{ Start int }
			}
		}
		require.NoError(t, d.Decode(&m))
		if m.Type != "match" {
			continue
		}
		path := strings.TrimPrefix(string(m.Data.Path.bytes(t)), "./")
		if _, known := binary[path]; !known {
			content, err := os.ReadFile(filepath.Join(dir, path))
			require.NoError(t, err)
			binary[path] = bytes.IndexByte(content[:min(len(content), binaryProbe)], 0) >= 0
		}
		if binary[path] {
			continue
		}
		line := m.Data.Lines.bytes(t)
		for _, s := range m.Data.Submatches {
			all = append(all, place{path, m.Data.LineNumber, column(line, s.Start)})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].path < all[j].path })
	return all
}

// weFind lists every hit of ours, however many.
func weFind(t testing.TB, root *os.Root, q Query) []place {
	t.Helper()
	f, err := compile(q)
	require.NoError(t, err)
	var mu sync.Mutex
	var all []place
	_, err = tree.Walk(t.Context(), root, "", tree.Options{}, func(_ int, e *tree.Entry) error {
		w := worker{ctx: t.Context(), find: f, best: bestHits{limit: 1 << 30}}
		if err := w.visit(e); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, h := range w.best.hits {
			all = append(all, place{h.Path, h.Line, h.Column})
		}
		return nil
	})
	require.NoError(t, err)
	sort.SliceStable(all, func(i, j int) bool { return all[i].path < all[j].path })
	return all
}

// same compares what both find, all hits and then the tool's answer.
func same(t *testing.T, root *os.Root, q Query, also ...string) int {
	t.Helper()
	theirs, ours := ripgrepFinds(t, root.Name(), q, also...), weFind(t, root, q)
	for i := range min(len(theirs), len(ours)) {
		require.Equal(t, theirs[i], ours[i], "hit %d of %+v", i, q)
	}
	require.Equal(t, len(theirs), len(ours), "hits of %+v", q)
	r := find(t, root, q, Options{Budget: time.Hour})
	assert.Equal(t, len(theirs), r.Total, "%+v", q)
	paths := map[string]bool{}
	for _, p := range theirs {
		paths[p.path] = true
	}
	assert.Equal(t, len(paths), r.Files, "%+v", q)
	require.Len(t, r.Hits, min(q.limit(), len(theirs)))
	for i, h := range r.Hits {
		assert.Equal(t, theirs[i], place{h.Path, h.Line, h.Column}, "%+v", q)
	}
	return len(theirs)
}

func TestInGosSourcesWeFindWhatRipgrepFinds(t *testing.T) {
	needs.Program(t, "rg")
	root, err := os.OpenRoot(goSources(t))
	require.NoError(t, err)
	defer root.Close()
	for _, c := range long.Sample(t, 5, []struct {
		q    Query
		also []string
	}{
		{q: Query{Text: "context.WithTimeout", CaseSensitive: true}},
		{q: Query{Text: "context.withtimeout"}},
		{q: Query{Text: "kelvin"}},
		{q: Query{Text: "É"}},
		{q: Query{Text: "世界"}},
		{q: Query{Text: "mutex", CaseSensitive: true}},
		{q: Query{Text: "Mutex"}},
		{q: Query{Text: "risk"}},
		{q: Query{Text: "){", CaseSensitive: true}},
		{q: Query{Text: "\t\t\t\t\t\t"}},
		{q: Query{Text: "no such text anywhere in these sources"}},
		{q: Query{Text: `func \(\w+ \*?\w+\) String\(\) string`, Regexp: true, CaseSensitive: true}, also: []string{"--no-unicode"}},
		{q: Query{Text: `^package [a-m].*$`, Regexp: true, CaseSensitive: true}},
		{q: Query{Text: `\berr(or)? [!=]= nil \{$`, Regexp: true, CaseSensitive: true}, also: []string{"--no-unicode"}},
		{q: Query{Text: `deadlock|livelock`, Regexp: true}},
		{q: Query{Text: `[^a-z]mutex\.(un)?lock`, Regexp: true}},
	}) {
		began := time.Now()
		n := same(t, root, c.q, c.also...)
		t.Logf("%-60q %7d hits %v", c.q.Text, n, time.Since(began).Round(time.Millisecond))
		if !strings.HasPrefix(c.q.Text, "no such") {
			assert.Positive(t, n, c.q.Text)
		}
	}
}

func TestInAMadeTreeWeFindWhatRipgrepFinds(t *testing.T) {
	needs.Program(t, "rg")
	content := map[string]string{
		".gitignore": "*.log\n/out/\n!keep.log\nvendor/**/*.js\n", "keep.log": "needle", "a.log": "needle", "out/x": "needle", "src/out/x": "needle",
		"vendor/a/b.js": "needle", "vendor/a/b.ts": "needle", ".hidden/needle": "NEEDLE", "sub/.gitignore": "/anchored\n", "sub/anchored": "needle", "sub/deep/anchored": "needle",
		"crlf": "one needle\r\ntwo\r\nneedle\r\n", "unended": "a\nneedle", "empty": "", "bom": "\ufeffneedle\nneedle",
		"latin1": "caf\xe9 needle \xff\nneedle\xff", "wide": "日本語 needle 😀 needle Needle\n", "binary": "needle\x00", "late": strings.Repeat("x\n", binaryProbe) + "\x00\nneedle\n",
		"long":   strings.Repeat("abc ", 2_000) + "needle" + strings.Repeat(" xyz", 2_000) + "NEEDLE\nneedle",
		"kelvin": "\u212aneedle ſharp SHARP sharp\n", "big": strings.Repeat("needle\n", MaxFile/7+1), ".git/config": "needle", "blank": "\n\nneedle\n\n",
	}
	for i := range 80 {
		content[fmt.Sprintf("many/%d/f%d.txt", i%9, i)] = strings.Repeat(fmt.Sprintf("line %d of NeedlE\n", i), i)
	}
	root := files(t, content)
	require.NoError(t, os.Symlink("crlf", filepath.Join(root.Name(), "link")))
	for _, text := range []string{"needle", "NEEDLE", "k", "ſHARP", "日本語 needle", "e n", "\t", "line 77 of", "needle\xc3\xa9"} {
		for _, sensitive := range []bool{true, false} {
			same(t, root, Query{Text: text, CaseSensitive: sensitive})
		}
	}
	for _, expr := range []string{"need.e", "needle$", "^needle", "^(abc )+needle", "(ne|e)+dle", "[^x]needle[^x]?", "l.ne 1[0-9]+ of", "^$", "needle\\b", "x{3}", "(?-i)NEEDLE|sharp"} {
		for _, sensitive := range []bool{true, false} {
			same(t, root, Query{Text: expr, Regexp: true, CaseSensitive: sensitive})
		}
	}
}
