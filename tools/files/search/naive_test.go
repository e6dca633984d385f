package search

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finds lists what a query finds in a text.
func finds(t testing.TB, q Query, text string) []span {
	t.Helper()
	f, err := compile(q)
	require.NoError(t, err)
	var all []span
	require.NoError(t, f.each(t.Context(), []byte(text), func(start, end int) {
		all = append(all, span{start, end})
	}))
	return all
}

// naive is the same, found by package regexp, to which a byte that is not
// UTF-8 is U+FFFD. To us it is no character; nor is the byte 1 to these tests.
func naive(t testing.TB, q Query, text string) []span {
	t.Helper()
	expr := regexp.QuoteMeta(q.Text)
	if q.Regexp {
		expr = "(?m)" + q.Text
	}
	if !q.CaseSensitive {
		expr = "(?i)" + expr
	}
	valid := []byte(text)
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			valid[i] = 1
		}
	}
	var all []span
	for _, m := range regexp.MustCompile(expr).FindAllIndex(valid, -1) {
		all = append(all, span{m[0], m[1]})
	}
	return all
}

func TestCaseIsFoldedAsUnicodeDoes(t *testing.T) {
	for _, c := range []struct {
		query, text string
		hits        int
	}{
		{"kelvin", "KELVIN \u212aelvin kelvi", 2},
		{"\u212a", "k K \u212a", 3},
		{"sS", "ſs Sſ ſſ s", 3},
		{"ß", "ß ẞ ss", 2},
		{"straße", "STRAẞE Straße STRASSE", 2},
		{"ⱥb", "Ⱥb ⱥB xb", 2},
		{"bȺ", "bⱥ BȺ", 2},
		{"σ", "Σ σ ς", 3},
		{"привет", "ПРИВЕТ Привет привет", 3},
		{"ı", "i I ı İ", 1},
		{"i", "i I ı İ", 2},
		{"ͅ", "ͅ Ι ι ι", 4},
		{"日本", "日本 日 本", 1},
		{"ǆ", "ǅ Ǆ ǆ dž", 3},
		{"a\ufffd", "a\xff a\ufffd", 1},
		{"é", "e\u0301 É é", 2},
		{"𐐨", "𐐀 𐐨", 2},
		{"@`", "`@ @`", 1},
		{"[{", "{[ [{ [[", 1},
		{"aa", "aAaAa", 2},
		{"x\ny", "X\nY", 1},
	} {
		q := Query{Text: c.query}
		assert.Len(t, finds(t, q, c.text), c.hits, "%q in %q", c.query, c.text)
		assert.Equal(t, naive(t, q, c.text), finds(t, q, c.text), "%q in %q", c.query, c.text)
	}
}

func TestWhatIsFoundIsWhatASlowSearchFinds(t *testing.T) {
	alphabet := []string{"a", "A", "b", "B", "k", "K", "\u212a", "s", "S", "ſ", "ß", "ẞ", "Ⱥ", "ⱥ", "é", "É", "日", "𐐀", "𐐨", "1", " ", "\n", "\ufffd"}
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, also ...string) string {
		var s strings.Builder
		from := append(also, alphabet...)
		for range n {
			s.WriteString(from[r.IntN(len(from))])
		}
		return s.String()
	}
	hits := 0
	for range 20_000 {
		q := Query{Text: draw(1 + r.IntN(4)), CaseSensitive: r.IntN(2) == 0}
		text := draw(r.IntN(80), "\xff", "\xe2\x84")
		want := naive(t, q, text)
		hits += len(want)
		require.Equal(t, want, finds(t, q, text), "%q (case-sensitive: %t) in %q", q.Text, q.CaseSensitive, text)
	}
	assert.Greater(t, hits, 10_000)
}

func TestARegularExpressionIsAppliedToEachLine(t *testing.T) {
	text := "func One() {\r\n\treturn 1\n}\n\nfunc two(a, b int) {\nx func"
	for expr, want := range map[string][]string{
		`func \w+\(`:     {"func One(", "func two("},
		`^func`:          {"func", "func"},
		`\{$`:            {"{", "{"},
		`[^a]+1`:         {"\treturn 1"},
		`^$`:             {""},
		`\bint\b`:        {"int"},
		`(?-i)One|TWO`:   {"One"},
		`\Afunc`:         {"func", "func"},
		`func\z`:         {"func"},
		`o.*`:            {"One() {", "o(a, b int) {"},
		`func\s+o|x fun`: {"func O", "x fun"},
		`z*1`:            {"1"},
	} {
		var got []string
		for _, s := range finds(t, Query{Text: expr, Regexp: true}, text) {
			got = append(got, text[s.start:s.end])
		}
		assert.Equal(t, want, got, expr)
	}
	assert.Len(t, finds(t, Query{Text: `func`, Regexp: true, CaseSensitive: true}, "Func func"), 1)
}

func TestAQueryThatMakesNoSenseIsRefusedWithWhatToDo(t *testing.T) {
	root := files(t, nil)
	for words, q := range map[string]Query{
		"empty":                {},
		"the limit of 4096":    {Text: strings.Repeat("x", MaxQuery+1)},
		"not UTF-8":            {Text: "\xff"},
		"leave out regex":      {Text: "a(", Regexp: true},
		"cannot match a line":  {Text: `a\nb`, Regexp: true},
		"relative to the proj": {Text: "a", Prefix: "../x"},
	} {
		_, err := Search(t.Context(), root, q, Options{})
		assert.ErrorContains(t, err, words)
		if q.Prefix == "" {
			assert.ErrorIs(t, err, ErrQuery)
		}
	}
}

// If an anchor is common in a text, the search continues with others; what it
// finds must not depend on where that happens.
func TestACommonAnchorGivesWayAndNothingIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		alphabet := []string{"x", "X", "w", "w", "n", "N", "@", "`", " ", "k", "\u212a", "é", "\n"}[:2+r.IntN(12)]
		draw := func(n int) string {
			var s strings.Builder
			for range n {
				s.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			return s.String()
		}
		q := Query{Text: draw(1 + r.IntN(6)), CaseSensitive: r.IntN(2) == 0}
		text := strings.Repeat("-", r.IntN(200)) + draw(r.IntN(3000)) + strings.Repeat("-", r.IntN(3000)) + draw(r.IntN(100))
		require.Equal(t, naive(t, q, text), finds(t, q, text), "%q (case-sensitive: %t) in %q", q.Text, q.CaseSensitive, text)
	}
	for _, q := range []string{"xn", "nx", "@x", "kx", "x\u212an", "éxn"} {
		text := strings.Repeat("x-", 500) + q + strings.ToUpper(q) + strings.Repeat("n-", 500) + strings.Repeat("-", 100_000) + q
		assert.Equal(t, naive(t, Query{Text: q}, text), finds(t, Query{Text: q}, text), q)
	}
}

// FuzzSearch compares each way to search with the slow one.
func FuzzSearch(f *testing.F) {
	f.Add("kelvin", "\u212aelvin", false, false)
	f.Add("aa", "aaaa", true, false)
	f.Add("^a+b", "xab\naab\r\n", false, true)
	f.Add("ſt", "ST\xffst", false, false)
	f.Add("(?i)ss|k", "ſS", true, true)
	f.Fuzz(func(t *testing.T, query, text string, sensitive, expr bool) {
		q := Query{Text: query, CaseSensitive: sensitive, Regexp: expr}
		if q.check() != nil || len(text) > 4096 || strings.Contains(query, "\x01") {
			return
		}
		find, err := compile(q)
		if err != nil {
			return
		}
		var got []span
		end := 0
		err = find.each(context.Background(), []byte(text), func(s, e int) {
			if s < end || e < s || e > len(text) {
				t.Fatalf("%q: hit %d..%d after %d in %q", query, s, e, end, text)
			}
			got, end = append(got, span{s, e}), e
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []span
		if expr {
			want = byLine(find.(*lineFinder).re, text)
		} else {
			want = naive(t, q, text)
		}
		if len(got) != len(want) || len(got) > 0 && !assert.ObjectsAreEqual(want, got) {
			t.Fatalf("%+v in %q: %v, want %v", q, text, got, want)
		}
	})
}

// byLine applies an expression to every line, as lines does without a literal.
func byLine(re *regexp.Regexp, text string) []span {
	var all []span
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		for _, m := range re.FindAllStringIndex(bare, -1) {
			all = append(all, span{at + m[0], at + m[1]})
		}
		at += len(line)
	}
	return all
}
