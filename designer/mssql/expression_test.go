package mssql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParenthesesAroundAWholeExpressionGo(t *testing.T) {
	for in, want := range map[string]string{
		"((0))": "0", "(getdate())": "getdate()", "([a]>(0))": "[a]>(0)", "((1)+(2))": "(1)+(2)",
		"(a)+(b)": "(a)+(b)", "(N'a)')": "N'a)'", "([a)b])": "[a)b]", "()": "()", "": "", "((-1))": "-1",
		"(/* ) */ 1)": "/* ) */ 1", "(": "(",
	} {
		assert.Equal(t, want, unwrap(in), in)
	}
}

func TestTokensPutTogetherAreTheText(t *testing.T) {
	for _, text := range []string{
		"SELECT [a]]b], \"c\"\"d\", N'x''y', 'z' -- tail", "/* a /* nested */ b */ 1.5e3+@x#y", "'open", "[open", "/* open", "é=1",
	} {
		var b strings.Builder
		for _, tok := range scan(text) {
			b.WriteString(tok.Text)
		}
		assert.Equal(t, text, b.String())
	}
}

func TestNamesAreFoundOutsideOfStringsAndComments(t *testing.T) {
	assert.True(t, mentions("[Total]>(0)", "total"))
	assert.True(t, mentions(`"Total" > 0`, "Total"))
	assert.False(t, mentions("'Total' = [x] /* Total */", "Total"))
	assert.False(t, mentions("total([x])", "Total"), "a function")
	assert.False(t, mentions("[Totals]>(0)", "Total"))
	assert.True(t, mentions("len([a]]b])>(0)", "a]b"))
}

func FuzzLex(f *testing.F) {
	f.Add("SELECT '[' /* ' */ [a]]")
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		for _, tok := range scan(text) {
			assert.NotEmpty(t, tok.Text)
			b.WriteString(tok.Text)
		}
		assert.Equal(t, text, b.String())
	})
}
