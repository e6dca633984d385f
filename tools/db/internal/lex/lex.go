// Package lex splits the SQL of PostgreSQL, MySQL/MariaDB and SQL Server into
// tokens where the servers split it: comments that nest or do not, every way
// of quoting, dollar quotes, escapes. The guards of run-query stand on it, so
// that no text hides a second statement or another name. SQLite has its own
// in designer/sqlite/lex.
//
// It knows tokens, not grammar. Start from [Postgres], [MySQL] or [TSQL].
// Where servers of one dialect differ, or a reading is doubtful, the token is
// [Illegal]: the guards refuse what has one, and nobody has to guess.
//
// Invariant: the texts of the tokens, spaces and comments included, are the
// input, whole and in order; nothing panics, whatever the input.
package lex

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind int

// The kinds.
const (
	Illegal Kind = iota // the server refuses the text, or it is doubtful how it reads it
	Space               // white space
	Comment             // to the end of line, or /* */
	Program             // MySQL: /*! */ and /*M! */, which run; /*+ */, which sets
	Word                // unquoted: a keyword or a name
	Quoted              // a quoted name
	String              // text or bytes in quotes
	Number
	Variable // $1, ?, @a, @@a
	Operator // punctuation included
)

// Token is one token of an input.
type Token struct {
	Kind Kind
	Text string // as it stands in the input
	Pos  int    // byte offset of Text
	// Name is what a Word or Quoted names: unquoted, unescaped, and folded
	// where the server folds. Otherwise "".
	Name string
}

// Is tells whether t is the unquoted word or the operator text, in any case.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Operator) && equalFold(t.Text, text)
}

// IsName tells whether t can name something.
func (t Token) IsName() bool { return t.Kind == Word || t.Kind == Quoted }

// Significant leaves out spaces and comments.
func Significant(all []Token) []Token {
	kept := make([]Token, 0, len(all))
	for _, t := range all {
		if t.Kind != Space && t.Kind != Comment {
			kept = append(kept, t)
		}
	}
	return kept
}

// scanner returns the first token of s, which is not empty, without Pos.
type scanner func(s string) Token

func tokens(sql string, next scanner) []Token {
	all := make([]Token, 0, min(len(sql)/4, 1<<10)) // a long text may be one token
	for pos := 0; pos < len(sql); {
		t := next(sql[pos:])
		t.Pos = pos
		all = append(all, t)
		pos += len(t.Text)
	}
	return all
}

func token(kind Kind, s string, n int) Token { return Token{Kind: kind, Text: s[:n]} }

// equalFold folds ASCII letters only, as servers fold keywords.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func span(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { c = lower(c); return isDigit(c) || c >= 'a' && c <= 'f' }

func isLetter(c byte) bool {
	c = lower(c)
	return c >= 'a' && c <= 'z' || c == '_' || c >= utf8.RuneSelf
}

// quoted returns the length of s, which begins with a quote, up to the same
// quote again; doubled ones are inside, and with escapes those behind a
// backslash. ok is false where it is not closed.
func quoted(s string, escapes bool) (n int, ok bool) {
	q := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == 0:
			return len(s), false
		case escapes && s[i] == '\\':
			i++
		case s[i] != q:
		case i+1 < len(s) && s[i+1] == q:
			i++
		default:
			return i + 1, true
		}
	}
	return len(s), false
}

// literal is quoted as a token of kind; end is what it ends with.
func literal(kind Kind, s string, prefix int, escapes bool) Token {
	n, ok := quoted(s[prefix:], escapes)
	if !ok {
		kind = Illegal
	}
	return token(kind, s, prefix+n)
}

// unquote takes the quotes off and undoes doubled ones.
func unquote(s, q string) string {
	return strings.ReplaceAll(s[1:len(s)-1], q+q, q)
}

// blockComment returns the length of the comment that s begins with, and
// whether it is closed.
func blockComment(s string, nested bool) (n int, ok bool) {
	depth := 1
	for i := 2; i+1 < len(s); i++ {
		switch {
		case s[i] == '*' && s[i+1] == '/':
			i++
			if depth--; depth == 0 {
				return i + 1, true
			}
		case nested && s[i] == '/' && s[i+1] == '*':
			i++
			depth++
		}
	}
	return len(s), false
}

// number takes digits with "_" among them, a fraction and an exponent. What
// runs into a name is illegal: servers and their versions split it
// differently.
func number(s string) Token {
	n := 0
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xob", lower(s[1])) >= 0 && isHex(s[2]) {
		n = 2 + span(s[2:], isHex)
	} else {
		n = decimal(s)
	}
	if n < len(s) && (isLetter(s[n]) || s[n] == '$') {
		return token(Illegal, s, n+1)
	}
	return token(Number, s, n)
}

func decimal(s string) int {
	digit := func(c byte) bool { return isDigit(c) || c == '_' }
	n := span(s, digit)
	if n < len(s) && s[n] == '.' && !strings.HasPrefix(s[n:], "..") {
		n++
		n += span(s[n:], digit)
	}
	if n < len(s) && lower(s[n]) == 'e' {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if e < len(s) && isDigit(s[e]) {
			n = e + span(s[e:], digit)
		}
	}
	return n
}

// startsNumber tells of a digit, or a point before one.
func startsNumber(s string) bool {
	return isDigit(s[0]) || s[0] == '.' && len(s) > 1 && isDigit(s[1])
}

// longest returns the length of the longest of operators that s begins with;
// 1 where none is. Longer ones come first.
func longest(s string, operators []string) int {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return len(op)
		}
	}
	return 1
}
