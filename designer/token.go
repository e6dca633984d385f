package designer

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// TokenKind says what a [Token] is.
type TokenKind int

// The kinds of tokens.
const (
	TokenOther      TokenKind = iota // an operator, a number, white space
	TokenIdentifier                  // bare, such as a column or a keyword, or quoted
	TokenString
)

// Token is a piece of an SQL expression.
type Token struct {
	Kind   TokenKind
	Text   string // as written
	Name   string // of an identifier, without its quotes; of a string, what it says
	Quoted bool   // of an identifier
	Prefix string // of a string: what stands before its quote, as in N'…' and E'…'
}

// Tokens takes an SQL expression apart; put together, the tokens are the
// text. ok is false where it holds a comment, a semicolon, a string in
// dollars or one with escapes of its own, does not end or does not pair its
// parentheses: where servers would not agree on what it is.
func (d *Dialect) Tokens(text string) (tokens []Token, ok bool) {
	if d.expressionProblem(text) != "" {
		return nil, false
	}
	for _, t := range d.scan(text) {
		switch t.Kind {
		case sqltext.Word, sqltext.Quoted:
			name := t.Text
			if t.Kind == sqltext.Quoted {
				name = t.Name
			}
			tokens = append(tokens, Token{Kind: TokenIdentifier, Text: t.Text, Name: name, Quoted: t.Kind == sqltext.Quoted})
		case sqltext.String:
			prefix, value := d.stringValue(t.Text)
			literal := Token{Kind: TokenString, Text: t.Text, Name: value, Prefix: prefix}
			if n := len(tokens); n > 0 && tokens[n-1].Kind == TokenIdentifier && !tokens[n-1].Quoted {
				// a word that touches a string, as a character set, says what it is
				literal.Text, literal.Prefix = tokens[n-1].Text+t.Text, tokens[n-1].Text+prefix
				tokens = tokens[:n-1]
			}
			tokens = append(tokens, literal)
		default:
			tokens = append(tokens, Token{Text: t.Text})
		}
	}
	return tokens, true
}

// stringValue is what a string of SQL text means: a doubled quote is one, and
// a backslash stands for the character after it where the dialect has it so.
func (d *Dialect) stringValue(text string) (prefix, value string) {
	open := strings.IndexAny(text, `'"`)
	inner := text[open+1 : len(text)-1]
	var out strings.Builder
	for i := 0; i < len(inner); i++ {
		if i+1 < len(inner) && (inner[i] == text[open] || inner[i] == '\\' && d.sql().Backslashes) {
			i++
		}
		out.WriteByte(inner[i])
	}
	return text[:open], out.String()
}
