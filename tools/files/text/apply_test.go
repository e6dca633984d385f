package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/text"
)

func TestEditsChangeTheirRangesAndNothingElse(t *testing.T) {
	for name, tt := range map[string]struct {
		content string
		edits   []text.Edit
		want    string
	}{
		"one":                            {"a\nb\nc\n", []text.Edit{{Old: "b", New: "B"}}, "a\nB\nc\n"},
		"several, in any order":          {"a\nb\nc\n", []text.Edit{{Old: "c", New: "C"}, {Old: "a", New: "A"}}, "A\nb\nC\n"},
		"that touch":                     {"abcd", []text.Edit{{Old: "ab", New: "1"}, {Old: "cd", New: "2"}}, "12"},
		"that insert their own old":      {"x = 1\n", []text.Edit{{Old: "x", New: "xx"}}, "xx = 1\n"},
		"that insert each other's":       {"a b", []text.Edit{{Old: "a", New: "b"}, {Old: "b", New: "a"}}, "b a"},
		"a dollar is a dollar":           {"cost\n", []text.Edit{{Old: "cost", New: "$1 $& ${x} $$"}}, "$1 $& ${x} $$\n"},
		"special characters":             {"a.*b(c)[d]\n", []text.Edit{{Old: ".*b(c)[d]", New: `\1`}}, "a\\1\n"},
		"all":                            {"aXbXc", []text.Edit{{Old: "X", New: "--", All: true}}, "a--b--c"},
		"all, from the front":            {"aaa", []text.Edit{{Old: "aa", New: "b", All: true}}, "ba"},
		"as many as expected":            {"aXbXc", []text.Edit{{Old: "X", New: "", Expect: 2}}, "abc"},
		"to nothing":                     {"a", []text.Edit{{Old: "a", New: ""}}, ""},
		"CRLF":                           {"a\r\nb\r\nc\r\n", []text.Edit{{Old: "b\nc", New: "B\nB2\nC"}}, "a\r\nB\r\nB2\r\nC\r\n"},
		"CRLF given as such":             {"a\nb\n", []text.Edit{{Old: "a\r\nb", New: "A\r\nB"}}, "A\nB\n"},
		"CRLF at the edge":               {"a\r\nb\r\n", []text.Edit{{Old: "\nb", New: "\nB"}}, "a\r\nB\r\n"},
		"mixed breaks stay":              {"a\r\nb\nc\r\nd\n", []text.Edit{{Old: "a\nb\nc\nd", New: "a\nB\nc\nd\ne"}}, "a\r\nB\nc\r\nd\ne\n"},
		"new breaks like the line's own": {"a\r\nb\r\nc\nd\n", []text.Edit{{Old: "b", New: "b\nb2"}}, "a\r\nb\r\nb2\r\nc\nd\n"},
		"a mark at the start":            {"\xef\xbb\xbfa\nb\n", []text.Edit{{Old: "a", New: "A"}}, "\xef\xbb\xbfA\nb\n"},
		"no newline at the end":          {"a\nb", []text.Edit{{Old: "a", New: "A"}}, "A\nb"},
		"a lone carriage return":         {"a\rb\r\n", []text.Edit{{Old: "a\rb", New: "a\rc"}}, "a\rc\r\n"},
		"characters of several bytes":    {"é漢😀\n", []text.Edit{{Old: "漢", New: "字"}}, "é字😀\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := text.Apply([]byte(tt.content), tt.edits)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(a.Content))
			assert.Equal(t, text.Normalize(a.Content).Text, a.After)
			assert.Equal(t, text.Compare(a.Before, a.After, nil).Additions, text.Compare(a.Before, a.After, a.Spans).Additions)
		})
	}
}

func TestEditsThatDoNotFitAreRefusedWhole(t *testing.T) {
	const content = "one\ntwo\nthree two\n\tindented\naaa\nprice: $5\n"
	for name, tt := range map[string]struct {
		edits  []text.Edit
		reason string
		words  string
	}{
		"empty":                        {[]text.Edit{{Old: "", New: "x"}}, text.Empty, "old_text is empty"},
		"the same":                     {[]text.Edit{{Old: "one", New: "one"}}, text.NoChange, "the same"},
		"the same but for line breaks": {[]text.Edit{{Old: "one\ntwo", New: "one\r\ntwo"}}, text.NoChange, "the same"},
		"ambiguous":                    {[]text.Edit{{Old: "two", New: "2"}}, text.Ambiguous, "2 times (lines 2, 3)"},
		"ambiguous with itself":        {[]text.Edit{{Old: "aa", New: "b"}}, text.Ambiguous, "2 times (lines 5, 5)"},
		"overlapping":                  {[]text.Edit{{Old: "one\ntwo\n", New: ""}, {Old: "two\nthree", New: ""}}, text.Overlap, "edits[0] and edits[1] overlap in line 2"},
		"twice the same":               {[]text.Edit{{Old: "one", New: "1"}, {Old: "one", New: "2"}}, text.Overlap, "overlap in line 1"},
		"other than expected":          {[]text.Edit{{Old: "two", New: "2", Expect: 3}}, text.Miscount, "2 times (lines 2, 3), not the expected 3"},
		"one of two missing":           {[]text.Edit{{Old: "one", New: "1"}, {Old: "nowhere at all", New: "2"}}, text.NoMatch, "edits[1]: old_text is not in the file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := text.Apply([]byte(content), tt.edits)
			var refused *text.EditError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, tt.reason, refused.Reason)
			assert.ErrorContains(t, err, tt.words)
		})
	}
}

func TestWhatIsMissingIsToldByTheNearestLines(t *testing.T) {
	const content = "func main() {\n\tfmt.Println(\"hello\")\n\tx := 1\n}\n\nfunc other() {\n    y := 2\n\tz\u00a0:= 3\n}\n"
	for name, tt := range map[string]struct {
		old    string
		line   int
		differ string
	}{
		"spaces for a tab":     {"    fmt.Println(\"hello\")\n", 2, "line 2, column 1: the file has a tab where old_text has 4 spaces"},
		"a tab for spaces":     {"\ty := 2", 7, "line 7, column 1: the file has 4 spaces where old_text has a tab"},
		"a no-break space":     {"z := 3", 8, "line 8, column 3: the file has a no-break space (U+00A0) where old_text has a space"},
		"a curly quote":        {"fmt.Println(“hello”)", 2, "line 2, column 14: the file has the character \" where old_text has the character “ (U+201C)"},
		"another word":         {"fmt.Println(\"hallo\")", 2, "line 2, column 16: the file has the character e where old_text has the character a"},
		"a line too much":      {"func main() {\n\tfmt.Println(\"hello\")\n\n\tx := 1", 1, "line 3, column 1: the file has a tab where old_text has a line break"},
		"in the middle of one": {"Println(\"hello\");", 2, "line 2, column 22: the file has a line break where old_text has the character ;"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := text.Apply([]byte(content), []text.Edit{{Old: tt.old, New: "x"}})
			var refused *text.EditError
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Near)
			assert.Equal(t, tt.line, refused.Near[0].Number)
			assert.Equal(t, tt.differ, refused.Differ)
			assert.LessOrEqual(t, len(refused.Near), 3)
		})
	}
	_, err := text.Apply([]byte(content), []text.Edit{{Old: "something quite different from all of it", New: "x"}})
	var refused *text.EditError
	require.ErrorAs(t, err, &refused)
	assert.Empty(t, refused.Near, "nothing is near")
	assert.NotContains(t, err.Error(), "different", "the caller's text does not come back")
}

func TestManyPlacesAreCountedWithinBounds(t *testing.T) {
	content := []byte(strings.Repeat("a", 1<<20))
	_, err := text.Apply(content, []text.Edit{{Old: strings.Repeat("a", 1000), New: "b"}})
	assert.ErrorContains(t, err, "10000 or more times")
	a, err := text.Apply(content, []text.Edit{{Old: strings.Repeat("a", 1024), New: "b", All: true}})
	require.NoError(t, err)
	assert.Equal(t, []int{1024}, a.Replaced)
}

func TestContentsAreTakenForWhatTheyAre(t *testing.T) {
	for name, tt := range map[string]struct {
		content string
		want    text.Info
	}{
		"empty":           {"", text.Info{Kind: text.Text, Bad: -1, LineEnding: text.None, Lines: 1}},
		"one line":        {"a", text.Info{Kind: text.Text, Bad: -1, LineEnding: text.None, Lines: 1}},
		"lf":              {"a\nb\n", text.Info{Kind: text.Text, Bad: -1, LineEnding: text.LF, Lines: 3, FinalNewline: true}},
		"crlf":            {"a\r\nb", text.Info{Kind: text.Text, Bad: -1, LineEnding: text.CRLF, Lines: 2}},
		"mixed":           {"a\r\nb\n", text.Info{Kind: text.Text, Bad: -1, LineEnding: text.Mixed, Lines: 3, FinalNewline: true}},
		"bom":             {"\xef\xbb\xbfa\n", text.Info{Kind: text.Text, Bad: -1, BOM: true, LineEnding: text.LF, Lines: 2, FinalNewline: true}},
		"utf-16":          {"\xff\xfea\x00\n\x00", text.Info{Kind: text.Foreign, Bad: -1, Guess: "UTF-16 little-endian", LineEnding: text.None}},
		"utf-16 unmarked": {"\x00a\x00b\x00\n\x00c", text.Info{Kind: text.Foreign, Bad: -1, Guess: "UTF-16 big-endian", LineEnding: text.None}},
		"latin-1":         {"caf\xe9 cr\xe8me\n", text.Info{Kind: text.Foreign, Bad: 3, Guess: "ISO-8859-1 (Latin-1)", LineEnding: text.None}},
		"windows-1252":    {"it\x92s \x80 5\n", text.Info{Kind: text.Foreign, Bad: 2, Guess: "Windows-1252", LineEnding: text.None}},
		"shift_jis":       {"\x93\xfa\x96{\x8c\xea\xc3\xb7\xbd\xc4\n", text.Info{Kind: text.Foreign, Bad: 0, Guess: "a multi-byte encoding such as Shift_JIS, GBK or EUC", LineEnding: text.None}},
		"a NUL":           {"a\x00b\n", text.Info{Kind: text.Binary, Bad: -1, Guess: "application/octet-stream", LineEnding: text.None}},
		"an image":        {"\x89PNG\r\n\x1a\n\x00\x00", text.Info{Kind: text.Binary, Bad: -1, Guess: "image/png", LineEnding: text.None}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, text.Inspect([]byte(tt.content)))
		})
	}
}
