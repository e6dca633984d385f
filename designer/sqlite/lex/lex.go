// Package lex splits SQL text into tokens exactly where SQLite's own
// tokenizer (tokenize.c, SQLite 3.53) splits it: comments, the four ways of
// quoting, blob literals, numbers with separators, variables. What reads
// stored CREATE statements and what decides whether a query may run both
// stand on it, so that neither is fooled by text that only looks different.
//
// It knows tokens, not grammar. Start from [Tokens]. Invariant: the texts of
// the tokens, spaces and comments included, are the input, whole and in
// order; nothing panics, whatever the input.
package lex

import "strings"

// Kind is the kind of a token.
type Kind int

// The kinds. SQLite's single operators are all [Operator]; the text tells
// them apart.
const (
	Illegal    Kind = iota // SQLite refuses the text from here on
	Space                  // white space, or a byte order mark
	Comment                // -- to the end of line, or /* */
	Word                   // unquoted: a keyword or an identifier
	Identifier             // quoted by "…", `…` or […]
	String                 // '…'
	Blob                   // x'…'
	Number
	Variable // ?, ?1, :a, @a, $a, #a
	Operator // punctuation included
)

// Token is one token of an input.
type Token struct {
	Kind Kind
	Text string // as it stands in the input
	Pos  int    // byte offset of Text
}

// End returns the offset of the first byte after t.
func (t Token) End() int { return t.Pos + len(t.Text) }

// Is tells whether t is the unquoted word or the operator text, in any case.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Operator) && strings.EqualFold(t.Text, text)
}

// Name returns what t means as a name: the word itself, or the quoted text
// with its quotes taken off and doubled ones undone. SQLite takes a string
// for a name where the grammar wants a name, so strings are unquoted too.
func (t Token) Name() string {
	if t.Kind != Identifier && t.Kind != String {
		return t.Text
	}
	inner := t.Text[1 : len(t.Text)-1]
	if t.Text[0] == '[' {
		return inner
	}
	q := t.Text[:1]
	return strings.ReplaceAll(inner, q+q, q)
}

// Tokens splits sql. SQLite ends its input at a NUL byte; here a NUL is an
// [Illegal] token that holds the rest.
func Tokens(sql string) []Token {
	all := make([]Token, 0, len(sql)/4)
	for pos := 0; pos < len(sql); {
		kind, n := next(sql[pos:])
		all = append(all, Token{Kind: kind, Text: sql[pos : pos+n], Pos: pos})
		pos += n
	}
	return all
}

// Significant is [Tokens] without spaces and comments.
func Significant(sql string) []Token {
	all := Tokens(sql)
	kept := all[:0]
	for _, t := range all {
		if t.Kind != Space && t.Kind != Comment {
			kept = append(kept, t)
		}
	}
	return kept
}
