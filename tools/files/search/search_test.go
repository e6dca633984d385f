package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/version"
)

// files makes a tree of files.
func files(t testing.TB, content map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

func find(t testing.TB, root *os.Root, q Query, opts Options) Result {
	t.Helper()
	r, err := Search(t.Context(), root, q, opts)
	require.NoError(t, err)
	return r
}

func TestAHitTellsPlaceVersionAndSurroundings(t *testing.T) {
	text := "one\n\tlet 😀 = Needle;\nthree\n"
	root := files(t, map[string]string{"src/a.js": text})
	r := find(t, root, Query{Text: "needle"}, Options{})
	require.Len(t, r.Hits, 1)
	assert.Equal(t, Hit{Path: "src/a.js", Version: version.Of([]byte(text)), Line: 2, Column: 10, Snippet: text}, r.Hits[0],
		"the column counts UTF-16 units from 0: the emoji is two")
	assert.Equal(t, 1, r.Files)
	assert.Equal(t, 1, r.Total)
	assert.Equal(t, 1, r.Searched)
	assert.EqualValues(t, len(text), r.Bytes)
}

func TestASnippetIsCutBetweenCharacters(t *testing.T) {
	root := files(t, map[string]string{
		"a": strings.Repeat("é", 60) + "hit" + strings.Repeat("日", 60),
		"b": "hit\xff",
		"c": "\ufeffhit here",
		"d": "hit" + strings.Repeat("x", 50),
	})
	r := find(t, root, Query{Text: "hit"}, Options{})
	require.Len(t, r.Hits, 4)
	assert.Equal(t, strings.Repeat("é", 50)+"hit"+strings.Repeat("日", 50), r.Hits[0].Snippet)
	assert.True(t, r.Hits[0].CutBefore && r.Hits[0].CutAfter)
	assert.Equal(t, "hit\ufffd", r.Hits[1].Snippet)
	assert.Equal(t, Hit{Path: "c", Version: version.Of([]byte("\ufeffhit here")), Line: 1, Column: 0, Snippet: "hit here"}, r.Hits[2], "the mark is not text but is content")
	assert.False(t, r.Hits[3].CutAfter)
	long := find(t, files(t, map[string]string{"a": strings.Repeat("y", 1000)}), Query{Text: "y+", Regexp: true}, Options{})
	require.Len(t, long.Hits, 1)
	assert.Len(t, long.Hits[0].Snippet, 200)
	assert.True(t, long.Hits[0].CutAfter)
}

func TestTheFirstHitsByPathAreReturnedAndAllAreCounted(t *testing.T) {
	content := map[string]string{}
	for i := range 400 {
		content[fmt.Sprintf("d%02d/f%03d", i%40, i)] = "x needle\nneedle NEEDLE\n"
	}
	root := files(t, content)
	paths := slices.Sorted(func(yield func(string) bool) {
		for p := range content {
			if !yield(p) {
				return
			}
		}
	})
	for _, limit := range []int{0, 1, 7, 50, 1000} {
		for range 5 {
			r := find(t, root, Query{Text: "needle", Limit: limit}, Options{Workers: 4})
			assert.Equal(t, 400, r.Files)
			assert.Equal(t, 1200, r.Total)
			require.Len(t, r.Hits, map[int]int{0: 20, 1: 1, 7: 7, 50: 50, 1000: 50}[limit])
			for i, h := range r.Hits {
				assert.Equal(t, paths[i/3], h.Path)
				assert.Equal(t, []int{1, 2, 2}[i%3], h.Line)
				assert.Equal(t, []int{2, 0, 7}[i%3], h.Column)
			}
		}
	}
}

func TestWhatIsNotSearchedIsCounted(t *testing.T) {
	late := strings.Repeat("x", binaryProbe)
	root := files(t, map[string]string{
		".gitignore": "*.log\n", "a.log": "needle", "a.bin": "needle\x00", "late.txt": late + "\x00needle",
		"edge.bin": late[1:] + "\x00needle", "big": strings.Repeat("needle ", MaxFile/7+1), "full": strings.Repeat("y", MaxFile-6) + "needle",
		".env": "needle", "ok": "needle", "sub/ok": "needle", "empty": "",
	})
	secret := func(path string) bool { return path == ".env" }
	r := find(t, root, Query{Text: "needle"}, Options{Withhold: secret, Budget: time.Minute})
	assert.Equal(t, 4, r.Files)
	assert.Equal(t, Result{Hits: r.Hits, Files: 4, Total: 4, Searched: 6, Bytes: r.Bytes, Binary: 2, TooBig: 1, Withheld: 1, HiddenFiles: 1}, r)
	r = find(t, root, Query{Text: "needle", Prefix: "/sub/"}, Options{})
	assert.Equal(t, 1, r.Files)
	r = find(t, root, Query{Text: "needle", Prefix: "a.log"}, Options{IncludeIgnored: true})
	assert.Equal(t, 1, r.Files)
}

func TestAFileThatMayNotBeReadIsCounted(t *testing.T) {
	root := files(t, map[string]string{"a": "needle", "b": "needle"})
	require.NoError(t, os.Chmod(filepath.Join(root.Name(), "a"), 0))
	r := find(t, root, Query{Text: "needle"}, Options{})
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		assert.Equal(t, 2, r.Files, "to this user nothing is forbidden")
		return
	}
	assert.Equal(t, 1, r.Files)
	assert.Equal(t, 1, r.Unreadable)
}

func TestWhatTheBudgetDoesNotReachIsSaidToBeMissing(t *testing.T) {
	content := map[string]string{}
	for i := range 200 {
		content[fmt.Sprintf("f%03d", i)] = "needle"
	}
	root := files(t, content)
	within, spent := context.WithCancel(t.Context())
	var seen atomic.Int32
	r, err := search(t.Context(), within, root, Query{Text: "needle"}, Options{Withhold: func(string) bool {
		if seen.Add(1) == 30 {
			spent()
		}
		return false
	}})
	require.NoError(t, err)
	assert.True(t, r.Partial)
	assert.GreaterOrEqual(t, r.Total, 30)
	assert.Less(t, r.Total, 40)
	assert.Len(t, r.Hits, 20)

	r, err = Search(t.Context(), root, Query{Text: "needle"}, Options{Budget: 1})
	require.NoError(t, err)
	assert.True(t, r.Partial, "a nanosecond is too short")
	r = find(t, root, Query{Text: "needle"}, Options{Budget: time.Minute})
	assert.False(t, r.Partial)
	assert.Equal(t, 200, r.Total)
}

func TestACallerThatGivesUpGetsItsOwnError(t *testing.T) {
	root := files(t, map[string]string{"a": "needle"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Search(ctx, root, Query{Text: "needle"}, Options{})
	assert.ErrorIs(t, err, context.Canceled)
}
