package lex

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokensSplitWhereSQLiteSplits(t *testing.T) {
	for _, tt := range []struct {
		name, sql string
		want      []Token // Pos is filled in
	}{
		{"words, spaces and operators", "SELECT  a->>'$'", []Token{
			{Kind: Word, Text: "SELECT"}, {Kind: Space, Text: "  "}, {Kind: Word, Text: "a"},
			{Kind: Operator, Text: "->>"}, {Kind: String, Text: "'$'"}}},
		{"a doubled quote stays inside", `'it''s'"a""b"`, []Token{
			{Kind: String, Text: `'it''s'`}, {Kind: Identifier, Text: `"a""b"`}}},
		{"brackets know no doubling", "[a]][b]", []Token{
			{Kind: Identifier, Text: "[a]"}, {Kind: Illegal, Text: "]"}, {Kind: Identifier, Text: "[b]"}}},
		{"a line comment ends before the break", "--x;\n;", []Token{
			{Kind: Comment, Text: "--x;"}, {Kind: Space, Text: "\n"}, {Kind: Operator, Text: ";"}}},
		{"comments do not nest", "/*/*;*/;*/", []Token{
			{Kind: Comment, Text: "/*/*;*/"}, {Kind: Operator, Text: ";"}, {Kind: Operator, Text: "*"}, {Kind: Operator, Text: "/"}}},
		{"an open comment runs to the end", "1/*;", []Token{{Kind: Number, Text: "1"}, {Kind: Comment, Text: "/*;"}}},
		{"slash star at the very end is two operators", "/*", []Token{{Kind: Operator, Text: "/"}, {Kind: Operator, Text: "*"}}},
		{"an open quote is illegal to the end", `'a";`, []Token{{Kind: Illegal, Text: `'a";`}}},
		{"a blob wants an even number of digits", "x'0a'X'0'", []Token{{Kind: Blob, Text: "x'0a'"}, {Kind: Illegal, Text: "X'0'"}}},
		{"numbers", "1 1.5e-3 .5 0xFF 1_000 1e", []Token{
			{Kind: Number, Text: "1"}, {Kind: Space, Text: " "}, {Kind: Number, Text: "1.5e-3"}, {Kind: Space, Text: " "},
			{Kind: Number, Text: ".5"}, {Kind: Space, Text: " "}, {Kind: Number, Text: "0xFF"}, {Kind: Space, Text: " "},
			{Kind: Number, Text: "1_000"}, {Kind: Space, Text: " "}, {Kind: Illegal, Text: "1e"}}},
		{"variables", "?1 :a @b $c::d(e) $", []Token{
			{Kind: Variable, Text: "?1"}, {Kind: Space, Text: " "}, {Kind: Variable, Text: ":a"}, {Kind: Space, Text: " "},
			{Kind: Variable, Text: "@b"}, {Kind: Space, Text: " "}, {Kind: Variable, Text: "$c::d(e)"}, {Kind: Space, Text: " "},
			{Kind: Illegal, Text: "$"}}},
		{"a NUL ends SQLite's input", "a\x00;b", []Token{{Kind: Word, Text: "a"}, {Kind: Illegal, Text: "\x00;b"}}},
		{"a NUL within quotes too", "'a\x00'", []Token{{Kind: Illegal, Text: "'a"}, {Kind: Illegal, Text: "\x00'"}}},
		{"a vertical tab goes on with space but does not begin it", " \v\v", []Token{{Kind: Space, Text: " \v\v"}}},
		{"a vertical tab first is illegal", "\v", []Token{{Kind: Illegal, Text: "\v"}}},
		{"a byte order mark is space, other letters are names", "\ufeffé", []Token{
			{Kind: Space, Text: "\ufeff"}, {Kind: Word, Text: "é"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pos := 0
			for i := range tt.want {
				tt.want[i].Pos = pos
				pos += len(tt.want[i].Text)
			}
			assert.Equal(t, tt.want, Tokens(tt.sql))
		})
	}
}

func TestNameTakesTheQuotesOff(t *testing.T) {
	for sql, want := range map[string]string{
		`"a""b"`: `a"b`, "`a``b`": "a`b", "[a b]": "a b", "'it''s'": "it's", "plain": "plain", `""`: "",
	} {
		tokens := Tokens(sql)
		require.Len(t, tokens, 1, sql)
		assert.Equal(t, want, tokens[0].Name(), sql)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"SELECT 1;--x", "'a''b' \"c\" `d` [e] x'00'", "/* */ $a::b(c) 0x1_f 1e-5", "\ufeff\v\x00'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		var b strings.Builder
		for _, tok := range Tokens(sql) {
			require.NotEmpty(t, tok.Text)
			require.Equal(t, b.Len(), tok.Pos)
			_ = tok.Name()
			b.WriteString(tok.Text)
		}
		require.Equal(t, sql, b.String())
	})
}
