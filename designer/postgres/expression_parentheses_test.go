package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOuterParenthesesAreTakenOffWhereTheyPair(t *testing.T) {
	for text, want := range map[string]string{
		"((a > 0))": "a > 0", "(a) + (b)": "(a) + (b)", "(a = ')')": "a = ')'", "( a )": "a", "a": "a", "(a": "(a", "": "", "()": "",
		`("(" > 0)`: `"(" > 0`,
	} {
		assert.Equal(t, want, withoutOuter(text), "%s", text)
	}
}

func FuzzOuterParentheses(f *testing.F) {
	for _, seed := range []string{`(a > 'x' AND "b" = $$c$$)`, "(E'\\)", "(/*/*)", "($a$b)", "((1e+)", "(U&'", "(\x00\xff)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Contains(t, text, withoutOuter(text))
	})
}

func TestAStringThatGoesOnIsOneInAScriptToo(t *testing.T) {
	list, err := split("CREATE VIEW v AS SELECT E'a'\n'\\';' AS b;\n\\c x\nCREATE VIEW w AS SELECT 'a'\n'\\';")
	assert.NoError(t, err)
	if assert.Len(t, list, 2) {
		assert.Equal(t, "CREATE VIEW v AS SELECT E'a'\n'\\';' AS b", list[0].text)
		assert.Equal(t, "CREATE VIEW w AS SELECT 'a'\n'\\'", list[1].text)
	}
}
