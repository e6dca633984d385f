package schema

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
)

// FuzzDecodeRequest reads calls of any kind: never a panic, and what is
// refused is refused briefly, by one JSON object.
func FuzzDecodeRequest(f *testing.F) {
	for _, seed := range storyCalls(f) {
		f.Add(seed)
	}
	f.Add([]byte(`{"operation":"undo","payload":{"steps":1e400}}`))
	f.Add([]byte(`{"operation":"undo","payload":null,"options":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if v := jsontext.Value(raw); v.Kind() != '{' || !v.IsValid() {
			return // tools.Set refuses it before
		}
		r, refused := decodeRequest(raw, false)
		if refused == nil {
			if !knownOperation(r.Operation) {
				t.Fatalf("operation %q was let through", r.Operation)
			}
			return
		}
		text := refused.text()
		if refused.Reason != designer.InvalidRequest || len(text) > 2<<10 || !jsontext.Value(text).IsValid() {
			t.Fatalf("refused by %q", text)
		}
	})
}

// FuzzMatch compares the pattern matcher with the regular expression it
// stands for.
func FuzzMatch(f *testing.F) {
	f.Add("Order*", "OrderLines")
	f.Add("*a*b", "aab")
	f.Add("T?01", "dbo.T001")
	f.Add("ſ*", "Sales")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(text) || len(pattern) > 100 || len(text) > 100 || strings.ContainsRune(text, '\n') {
			return
		}
		expression := regexp.QuoteMeta(designer.Fold(pattern))
		if strings.ContainsAny(pattern, "*?") {
			expression = "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(expression) + "$"
		}
		want := regexp.MustCompile("(?s)" + expression).MatchString(designer.Fold(text))
		if got := match(pattern, text); got != want {
			t.Fatalf("match(%q, %q) = %v", pattern, text, got)
		}
	})
}

// FuzzReveal holds that escaping keeps the value.
func FuzzReveal(f *testing.F) {
	f.Add("plain")
	f.Add("a\u202eb\U000e0041\ufeff<&>")
	f.Fuzz(func(t *testing.T, text string) {
		encoded := encode(text)
		back, err := jsontext.AppendUnquote(nil, encoded)
		if err != nil || string(back) != strings.ToValidUTF8(text, "\ufffd") && utf8.ValidString(text) {
			t.Fatalf("%q became %s: %v", text, encoded, err)
		}
	})
}

// storyCalls are the calls of the stories.
func storyCalls(f *testing.F) [][]byte {
	files, err := filepath.Glob("testdata/stories/[0-9]*.md")
	if err != nil || len(files) == 0 {
		f.Fatal("no stories", err)
	}
	var calls [][]byte
	block := regexp.MustCompile("(?s)```json call[^\n]*\n(.*?)```")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, m := range block.FindAllSubmatch(text, -1) {
			calls = append(calls, m[1])
		}
	}
	return calls
}
