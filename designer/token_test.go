package designer

import (
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExpressionsAreTakenApart(t *testing.T) {
	tokens, ok := serverDialect().Tokens(`[a]]b] >= N'it''s' + 1.5`)
	require.True(t, ok)
	assert.Equal(t, []Token{
		{Kind: TokenIdentifier, Text: "[a]]b]", Name: "a]b", Quoted: true}, {Text: " "}, {Text: ">="}, {Text: " "},
		{Kind: TokenString, Text: "N'it''s'", Name: "it's", Prefix: "N"}, {Text: " "}, {Text: "+"}, {Text: " "}, {Text: "1.5"},
	}, tokens)

	d := openDialect()
	d.SQL = sqltext.MySQL()
	tokens, ok = d.Tokens("concat(\"it\\'s\", x)")
	require.True(t, ok)
	assert.Equal(t, Token{Kind: TokenString, Text: `"it\'s"`, Name: "it's"}, tokens[2])
}

func TestWhatServersReadDifferentlyIsNotTakenApart(t *testing.T) {
	for _, text := range []string{"a -- b", "a /* b */", "a; b", "(a", "'a", `E'a\'b'`, "$$a$$"} {
		_, ok := openDialect().Tokens(text)
		assert.False(t, ok, text)
	}
}
