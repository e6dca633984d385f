package text_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools/files/text"
	"github.com/berth-dev/berth/tools/files/version"
)

// pair is a file before and after a commit, with what git counts of it.
type pair struct {
	name          string
	before, after []byte
	changed       int // lines added and removed by git diff --minimal, or uncounted
}

// uncounted marks what git does not compare by lines: binaries, and what
// .gitattributes names as such.
const uncounted = -1

func git(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.quotePath=false"}, args...)...)
	out, err := cmd.Output()
	require.NoError(t, err, "git %v", args)
	return out
}

// history is every change of a file in the history of a repository.
func history(t *testing.T, dir string) []pair {
	t.Helper()
	log := git(t, dir, "log", "--no-merges", "--diff-filter=M", "--no-renames", "--no-textconv", "--no-ext-diff",
		"--minimal", "--raw", "--no-abbrev", "--numstat", "--format=%H")
	var pairs []pair
	var blobs []string
	changed := map[string]int{}
	var pending []int
	for line := range strings.Lines(string(log)) {
		line = strings.TrimRight(line, "\n")
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, ":"):
			name := line[strings.IndexByte(line, '\t')+1:]
			if fields[2] != fields[3] { // else only its mode changed
				pending = append(pending, len(pairs))
				pairs = append(pairs, pair{name: name})
				blobs = append(blobs, fields[2], fields[3])
			}
		case len(fields) >= 3 && fields[0] == "-":
			changed[line[strings.LastIndexByte(line, '\t')+1:]] = uncounted
		case len(fields) >= 3:
			var added, removed int
			_, err := fmt.Sscan(fields[0]+" "+fields[1], &added, &removed)
			require.NoError(t, err)
			changed[line[strings.LastIndexByte(line, '\t')+1:]] = added + removed
		case len(fields) == 1: // the next commit
			settle(pairs, pending, changed)
			pending, changed = nil, map[string]int{}
		}
	}
	settle(pairs, pending, changed)
	fill(t, dir, pairs, blobs)
	return pairs
}

func settle(pairs []pair, pending []int, changed map[string]int) {
	for _, i := range pending {
		pairs[i].changed = changed[pairs[i].name]
	}
}

// fill reads the contents from one git process.
func fill(t *testing.T, dir string, pairs []pair, blobs []string) {
	t.Helper()
	cmd := exec.Command("git", "-C", dir, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(blobs, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	r := bufio.NewReader(out)
	for i := range blobs {
		var id, kind string
		var size int
		_, err := fmt.Fscanf(r, "%s %s %d\n", &id, &kind, &size)
		require.NoError(t, err)
		content := make([]byte, size+1)
		_, err = io.ReadFull(r, content)
		require.NoError(t, err)
		if i%2 == 0 {
			pairs[i/2].before = content[:size]
		} else {
			pairs[i/2].after = content[:size]
		}
	}
	require.NoError(t, cmd.Wait())
}

// made is a repository with a history of its own, for where this one has none.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for i, source := range sources {
		content, err := os.ReadFile(source)
		require.NoError(t, err)
		if i%2 == 1 {
			content = bytes.ReplaceAll(content, []byte("return"), []byte("\treturn"))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "file.go"), content, 0o644))
		git(t, dir, "add", ".")
		git(t, dir, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", source)
	}
	return dir
}

func TestRealEditsReplayToTheByteWithTheShortestDiff(t *testing.T) {
	needs.Program(t, "git")
	pairs := history(t, ".")
	if len(pairs) < 10 {
		pairs = history(t, made(t))
	}
	require.GreaterOrEqual(t, len(pairs), 10)
	versions := map[string][]byte{}
	ours, gits, edited := 0, 0, 0
	for _, p := range pairs {
		for _, content := range [][]byte{p.before, p.after} {
			v := version.Of(content)
			if other, seen := versions[v]; seen {
				require.True(t, bytes.Equal(other, content), "two contents of %s have one version", p.name)
			}
			versions[v] = content
		}
		require.NotEqual(t, version.Of(p.before), version.Of(p.after), p.name)
		if p.changed == uncounted || text.Inspect(p.before).Kind != text.Text || text.Inspect(p.after).Kind != text.Text {
			continue
		}
		d := text.Compare(text.Normalize(p.before).Text, text.Normalize(p.after).Text, nil)
		assert.LessOrEqual(t, d.Additions+d.Deletions, p.changed, "git finds a shorter diff of %s", p.name)
		ours += d.Additions + d.Deletions
		gits += p.changed
		if replay(t, p, d) {
			edited++
		}
	}
	t.Logf("%d pairs, %d replayed as edits; %d changed lines, git diff --minimal %d", len(pairs), edited, ours, gits)
	assert.Greater(t, edited, len(pairs)/2)
}

// replay makes the edit that an agent would send, one edit per hunk, and
// reports whether the hunks were unique.
func replay(t *testing.T, p pair, d text.Diff) bool {
	t.Helper()
	unified, _ := d.Text("f", false, 0)
	var edits []text.Edit
	for hunk := range strings.SplitSeq(unified, "\n@@ ") {
		_, body, _ := strings.Cut(hunk, "@@\n")
		var e text.Edit
		for line := range strings.Lines(body) {
			switch line[0] {
			case ' ':
				e.Old += line[1:]
				e.New += line[1:]
			case '-':
				e.Old += line[1:]
			case '+':
				e.New += line[1:]
			default:
				return false // no newline at the end of the file
			}
		}
		if body != "" {
			edits = append(edits, e)
		}
	}
	a, err := text.Apply(p.before, edits)
	if err != nil {
		return false // an addition to nothing, or a hunk that stands twice
	}
	require.True(t, bytes.Equal(p.after, a.Content), "the replay of %s differs", p.name)
	again := text.Compare(a.Before, a.After, a.Spans)
	require.LessOrEqual(t, again.Additions+again.Deletions, p.changed, p.name)
	return true
}
