package postgres

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScanTellsTheKindsOfTokensApart(t *testing.T) {
	kinds := map[tokenKind]string{symbolToken: "symbol", spaceToken: "space", wordToken: "word", nameToken: "name", stringToken: "string", numberToken: "number"}
	for text, want := range map[string]string{
		`a_1$`: "word", `"a""b"`: "name", `U&"\0061"`: "name", `'it''s'`: "string", `E'\''`: "string", `N'x'`: "string",
		`u&'x'`: "string", `$$a;b$$`: "string", `$f$ $$ $f$`: "string", `$1`: "symbol number", `1.5e-3`: "number", `.5`: "number",
		`/* a /* b */ c */`: "space", "-- x\n": "space", `a::text`: "word symbol word", `e`: "word", `'open`: "string", `"open`: "name",
		`/* open`: "space", `$$open`: "string", `é`: "word", `1e`: "number", `+-`: "symbol symbol", ``: "",
	} {
		var got []string
		joined := ""
		for _, tok := range scan(text) {
			got, joined = append(got, kinds[tok.kind]), joined+tok.text
		}
		assert.Equal(t, want, strings.Join(got, " "), "%s", text)
		assert.Equal(t, text, joined)
	}
}

func TestOuterParenthesesAreTakenOffWhereTheyPair(t *testing.T) {
	for text, want := range map[string]string{
		"((a > 0))": "a > 0", "(a) + (b)": "(a) + (b)", "(a = ')')": "a = ')'", "( a )": "a", "a": "a", "(a": "(a", "": "", "()": "",
		`("(" > 0)`: `"(" > 0`,
	} {
		assert.Equal(t, want, withoutOuter(text), "%s", text)
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{`a > 'x' AND "b" = $$c$$`, "E'\\", "/*/*", "$a$b", "1e+", "U&'", "\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		joined := ""
		for _, tok := range scan(text) {
			joined += tok.text
		}
		assert.Equal(t, text, joined)
		withoutOuter(text)
	})
}
