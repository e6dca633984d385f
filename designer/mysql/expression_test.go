package mysql

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func FuzzTheTokensOfATextAreTheText(f *testing.F) {
	for _, seed := range []string{"SELECT 'a''b\\'c' -- x\n# y\n/* z */ `q``r` 1.5e3 /*!40101 SET x */", "'", "`", "/*", "/*!", "--", "\xff\x00é", "a.b(c)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.Equal(t, text, textOf(scan(text)))
		for range 2 { // taking parentheses away ends
			text = bare(text)
		}
		assert.Equal(t, text, bare(text))
	})
}

// The letter before a string of bits, bytes or national characters is no
// column, whatever the columns are called.
func TestThePrefixOfAStringIsNoColumn(t *testing.T) {
	names := map[string]string{"x": "fresh", "b": "fresh", "n": "fresh"}
	for text, want := range map[string]string{
		"a = x'41' and x > 0": "a = x'41' and `fresh` > 0",
		"a = X'41'":           "a = X'41'",
		"a = b'1' or b":       "a = b'1' or `fresh`",
		"a = N'it''s' or n":   "a = N'it''s' or `fresh`",
		"ab'x'":               "ab'x'",
		"b'":                  "b'",
	} {
		assert.Equal(t, want, renamedIn(text, names), text)
	}
}
