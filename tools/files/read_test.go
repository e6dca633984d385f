package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

func TestAPartOfAFileComesWithTheFactsOfTheWhole(t *testing.T) {
	b := newBench(t, files.Settings{})
	content := "one\ntwo\nthree\nfour\nfive\n"
	b.put("a.txt", content)
	for name, tt := range map[string]struct {
		part     arguments
		want     string
		from, to int
	}{
		"whole":           {arguments{}, content, 1, 6},
		"head":            {arguments{"head": 2}, "one\ntwo\n", 1, 2},
		"tail":            {arguments{"tail": 2}, "four\nfive\n", 4, 6},
		"range":           {arguments{"from": 2, "to": 3}, "two\nthree\n", 2, 3},
		"to the end":      {arguments{"from": 5}, "five\n", 5, 6},
		"from the start":  {arguments{"to": 1}, "one\n", 1, 1},
		"numbers":         {arguments{"from": 3, "to": 4, "numbers": true}, "3\tthree\n4\tfour\n", 3, 4},
		"more than there": {arguments{"head": 100}, content, 1, 6},
	} {
		t.Run(name, func(t *testing.T) {
			tt.part["path"] = "a.txt"
			raw := b.raw(catalog.ReadFile, tt.part)
			r := b.parse(raw)
			assert.Equal(t, tt.want, raw.Content[1])
			assert.Equal(t, [2]int{tt.from, tt.to}, [2]int{r.From, r.To})
			assert.Equal(t, version.Of([]byte(content)), r.Version)
			assert.Equal(t, 6, r.Lines)
			assert.Equal(t, int64(len(content)), r.Size)
			assert.Empty(t, r.Note)
		})
	}
	for _, part := range []arguments{{"head": 1, "tail": 1}, {"head": 1, "from": 1}, {"from": 3, "to": 2}, {"head": 0}, {"from": 7}, {"nonsense": 1}, {"head": "x"}, {}} {
		if len(part) > 0 {
			part["path"] = "a.txt"
		}
		assert.Contains(t, []string{"invalid_request", "invalid_path"}, b.do(catalog.ReadFile, part).Reason, "%v", part)
	}
}

func TestLimitsOfReadingAreSaid(t *testing.T) {
	b := newBench(t, files.Settings{})
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "%d\n", i+1)
	}
	b.put("many.txt", many.String())
	raw := b.raw(catalog.ReadFile, arguments{"path": "many.txt"})
	r := b.parse(raw)
	assert.Equal(t, 1900, strings.Count(raw.Content[1], "\n"))
	assert.Contains(t, r.Note, "read on with from: 1901")
	raw = b.raw(catalog.ReadFile, arguments{"path": "many.txt", "tail": 3000})
	r = b.parse(raw)
	assert.True(t, strings.HasSuffix(raw.Content[1], "4999\n5000\n"), "of the end, the end")
	assert.Contains(t, r.Note, "for those before, read from 2001 to")

	b.put("wide.txt", strings.Repeat(strings.Repeat("é", 300)+"\n", 1000))
	raw = b.raw(catalog.ReadFile, arguments{"path": "wide.txt", "numbers": true})
	assert.LessOrEqual(t, len(raw.Content[1]), 24<<10)
	assert.NotEmpty(t, b.parse(raw).Note)

	b.put("long.txt", "a\n"+strings.Repeat("漢", 100_000)+"\nb\n")
	raw = b.raw(catalog.ReadFile, arguments{"path": "long.txt"})
	r = b.parse(raw)
	assert.Equal(t, 1, r.CutLines)
	assert.Equal(t, "a\n"+strings.Repeat("漢", 666)+"…[+298002]\nb\n", raw.Content[1])
	assert.Contains(t, r.Note, "lines over 2000 bytes are cut")
}

func TestWhatIsNoUTF8IsNamedAndLeftAlone(t *testing.T) {
	b := newBench(t, fast)
	for name, tt := range map[string]struct {
		content, reason, words string
	}{
		"latin1.txt": {"caf\xe9\n", "not_utf8", "ISO-8859-1"},
		"utf16.txt":  {"\xff\xfea\x00\n\x00", "not_utf8", "UTF-16 little-endian"},
		"zero.bin":   {"a\x00b", "", "application/octet-stream"},
		"image.png":  {"\x89PNG\r\n\x1a\n\x00", "", "image/png"},
	} {
		b.put(name, tt.content)
		r := b.do(catalog.ReadFile, arguments{"path": name})
		assert.Equal(t, tt.reason, r.Reason)
		assert.Contains(t, r.Message+r.MediaType, tt.words)
		assert.Equal(t, int64(len(tt.content)), r.Size)
		if tt.reason == "" {
			assert.Equal(t, "binary", r.Kind)
		}
		e := b.edit(name, edit{"old_text": "a", "new_text": "b"})
		assert.Contains(t, []string{"not_utf8", "binary"}, e.Reason)
		assert.Equal(t, tt.content, b.content(name))
	}
}

func TestAFileOfAGibibyteIsDescribedAndNotRead(t *testing.T) {
	b := newBench(t, fast)
	path := b.put("sparse.bin", "")
	require.NoError(t, os.Truncate(path, 1<<30))
	r := b.do(catalog.ReadFile, arguments{"path": "sparse.bin"})
	assert.Equal(t, "binary", r.Kind)
	assert.Equal(t, int64(1<<30), r.Size)

	log := b.put("huge.log", strings.Repeat("é", 4096)+"\n")
	require.NoError(t, os.Truncate(log, 1<<30))
	r = b.do(catalog.ReadFile, arguments{"path": "huge.log"})
	assert.Equal(t, "too_large", r.Reason)
	r = b.do(catalog.EditFile, arguments{"path": "huge.log", "version": "x", "edits": []edit{{"old_text": "a", "new_text": "b"}}})
	assert.Equal(t, "too_large", r.Reason)
}

func TestEveryKindOfBytesSurvivesAnEditElsewhere(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for name, content := range map[string]string{
		"lf": "head\nbody\n", "crlf": "head\r\nbody\r\n", "mixed": "head\r\nbody\nmore\r\n", "bom": "\xef\xbb\xbfhead\nbody\n",
		"no newline": "head\nbody", "long lines": "head\n" + long + "\n", "lone cr": "head\rbody\r", "tabs and ends": "head\t \n  \t\n\n\n",
		"invisible": "head\n\u200b\ufeff\u202e\u00a0\n", "controls": "head\n\x01\x1b[31m\x7f\n", "combining": "head\ne\u0301 é\n",
		"5 MiB": "head\n" + strings.Repeat("some line of a file\r\n", 5<<20/21),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, fast)
			path := b.put("file", content)
			require.NoError(t, os.Chmod(path, 0o755))
			r := b.edit("file", edit{"old_text": "head", "new_text": "HEAD"})
			require.True(t, r.Success, r.Message)
			assert.True(t, strings.Replace(content, "head", "HEAD", 1) == b.content("file"), "bytes outside the edit changed")
			info, err := os.Stat(path)
			require.NoError(t, err)
			if os.PathSeparator == '/' {
				assert.Equal(t, os.FileMode(0o755), info.Mode())
			}
		})
	}
}

func TestEntriesAreListedInPages(t *testing.T) {
	b := newBench(t, files.Settings{})
	b.put(".gitignore", "ignored\n")
	b.put("ignored/x", "")
	for i := range 1200 {
		b.put(fmt.Sprintf("dir/sub %d/file-%04d.txt", i%3, i), "")
	}
	seen := map[string]int{}
	var last string
	cursor := ""
	for pages := 0; ; pages++ {
		require.Less(t, pages, 20)
		raw := b.raw(catalog.ListEntries, arguments{"cursor": cursor})
		assert.LessOrEqual(t, len(raw.Content[0]), 24<<10)
		r := b.parse(raw)
		assert.Equal(t, 1200+4+1, r.Total)
		assert.Equal(t, len(r.Entries), r.Shown)
		assert.Equal(t, 1, r.Ignored.Directories)
		for _, e := range r.Entries {
			assert.Less(t, last, e.Path)
			last = e.Path
			seen[e.Kind]++
		}
		if cursor = r.Cursor; cursor == "" {
			break
		}
	}
	assert.Equal(t, map[string]int{"file": 1201, "directory": 4}, seen)

	assert.Equal(t, 400, b.do(catalog.ListEntries, arguments{"path_prefix": "/dir/sub 1/"}).Total)
	assert.Equal(t, 1, b.do(catalog.ListEntries, arguments{"glob": "*-0042.*"}).Total)
	assert.Equal(t, 401, b.do(catalog.ListEntries, arguments{"glob": "dir/sub 2{,/**}"}).Total)
	assert.Equal(t, 2, b.do(catalog.ListEntries, arguments{"glob": "/*"}).Total)
	assert.Equal(t, 10, b.do(catalog.ListEntries, arguments{"glob": "**/file-000[!a-z].txt"}).Total)
	assert.Equal(t, 3, b.do(catalog.ListEntries, arguments{"glob": "sub ?"}).Total)
	assert.Equal(t, 1207, b.do(catalog.ListEntries, arguments{"include_ignored": true}).Total)
	assert.Equal(t, "invalid_request", b.do(catalog.ListEntries, arguments{"glob": "a[b"}).Reason)
	assert.Equal(t, "invalid_path", b.do(catalog.ListEntries, arguments{"path_prefix": "../"}).Reason)
}

func TestAHitCanBeEdited(t *testing.T) {
	b := newBench(t, fast)
	b.put("src/a.txt", "first\nthe Needle is here\n")
	b.put("bin", "needle\x00")
	r := b.do(catalog.SearchContent, arguments{"query": "needle", "path_prefix": "/src"})
	require.Len(t, r.Hits, 1)
	h := r.Hits[0]
	assert.Equal(t, [2]int{2, 4}, [2]int{h.Line, h.Column})
	assert.Equal(t, "first\nthe Needle is here\n", h.Snippet)
	e := b.do(catalog.EditFile, arguments{"path": h.Path, "version": h.Version, "edits": []edit{{"old_text": "Needle", "new_text": "thread"}}})
	assert.True(t, e.Success)
	assert.Zero(t, b.do(catalog.SearchContent, arguments{"query": "needle", "case_sensitive": true, "path_prefix": "src"}).Total)
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "needle"}).Skipped.Binary)
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "^the t.*d", "regex": true}).Total)
	assert.Equal(t, "invalid_request", b.do(catalog.SearchContent, arguments{"query": "(", "regex": true}).Reason)
	assert.Equal(t, "invalid_request", b.do(catalog.SearchContent, arguments{"query": ""}).Reason)

	for i := range 60 {
		b.put(fmt.Sprintf("%s/%d.txt", strings.Repeat("long name ", 19)+"long name", i), strings.Repeat("\x01", 40)+" needle "+strings.Repeat("\x01", 40))
	}
	raw := b.raw(catalog.SearchContent, arguments{"query": "needle", "limit": 100})
	assert.LessOrEqual(t, len(raw.Content[0]), 24<<10)
	r = b.parse(raw)
	assert.Equal(t, 60, r.Total)
	assert.Less(t, r.Shown, 50, "what does not fit is left out")
	assert.NotEmpty(t, r.Note)
}

func TestAFileThatAnotherProgramWritesIsToldOnce(t *testing.T) {
	b := newBench(t, fast)
	b.put("dir/a.txt", "one\n")
	b.put("dir/b.txt", "one\n")
	b.do(catalog.ReadFile, arguments{"path": "dir/a.txt"})
	assert.True(t, b.edit("dir/a.txt", edit{"old_text": "one", "new_text": "two"}).Success)
	b.put("dir/b.txt", "nobody knows this one\n")
	b.put("dir/a.txt", "three\n")
	stale := files.StaleNotice{Type: "file_stale", Path: "dir/a.txt"}
	require.Eventually(t, func() bool { return len(b.announced()) == 2 }, patience, tick)
	id := b.announced()[0].(files.EditNotice).EditID
	assert.Equal(t, []any{files.EditNotice{Type: "file_edited", Path: "dir/a.txt", Additions: 1, Deletions: 1, Fast: true, EditID: id}, stale}, b.announced(), "our own edit is no such change")

	b.do(catalog.ReadFile, arguments{"path": "dir/a.txt"})
	require.NoError(t, os.Remove(filepath.Join(b.dir, "dir", "a.txt")))
	require.Eventually(t, func() bool { return len(b.announced()) == 3 }, patience, tick)
	assert.Equal(t, stale, b.announced()[2], "that it is gone is told too")
}
