// Package sqltext splits SQL text into tokens as the servers do: nested
// comments, all kinds of quoting, dollar quotes, escapes, operators. Everything
// that reads expressions of a design, scripts or statements to be guarded uses
// it, so that all of them find the same names and boundaries.
//
// It knows tokens, not grammar. Start with [PostgreSQL], [MySQL], [TSQL] or
// [SQLite], which return the lexical rules of a dialect as data, and
// [Rules.Tokens].
//
// Invariant: the texts of the tokens, spaces and comments included, are the
// input, whole and in order. Nothing panics, whatever the input.
package sqltext

import "strings"

// Kind is the kind of a token.
type Kind int

// The kinds.
const (
	Illegal   Kind = iota // the server refuses the text, or with [Rules.Strict] it is doubtful how it reads it
	Space                 // white space
	Comment               // to the end of line, or /* */
	Program               // MySQL: /*! */ and /*M! */, which run; /*+ */, which sets
	Word                  // unquoted: a keyword or a name
	Quoted                // a quoted name
	String                // text or bytes in quotes, with the prefix
	Number                // with its fraction and exponent, without a sign
	Parameter             // $1, ?, @a, @@a, :a
	Operator              // punctuation included
)

// Token is one token of an input.
type Token struct {
	Kind Kind
	Text string // as it stands in the input
	Pos  int    // byte offset of Text
	// Name is what a Word or Quoted names: unquoted, unescaped, and folded
	// and cut where the server does so. SQLite takes a string for a name where
	// its grammar wants one, so there it is set for a String without a prefix
	// too. Otherwise "".
	Name string
	// Unclosed says of an Illegal, and of a Comment that SQLite lets run to
	// the end, that what the token begins does not end.
	Unclosed bool
}

// End returns the offset of the first byte after t.
func (t Token) End() int { return t.Pos + len(t.Text) }

// Is reports whether t is the unquoted word, the variable or the operator
// text. ASCII letters match in either case, as servers compare keywords.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Parameter || t.Kind == Operator) && equalFold(t.Text, text)
}

// IsName reports whether t can name something.
func (t Token) IsName() bool { return t.Kind == Word || t.Kind == Quoted }

// Quote returns the character that a quoted name opens with, 0 for any other
// token.
func (t Token) Quote() byte {
	switch {
	case t.Kind != Quoted:
		return 0
	case hasPrefixFold(t.Text, "u&"):
		return t.Text[2]
	}
	return t.Text[0]
}

// Tokens splits text. It is never nil for text that is not empty.
func (r Rules) Tokens(text string) []Token {
	all := make([]Token, 0, min(len(text)/4, 1<<10)) // a long text may be one token
	scanner := r.Scanner(text)
	for pos := 0; pos < len(text); {
		t := scanner.At(pos)
		all = append(all, t)
		pos = t.End()
	}
	return r.named(all)
}

// Scanner reads a text token by token, for readers that leave out parts of it
// in between, as the rows of COPY. The Name of a U&"…" is empty: it needs what
// follows.
type Scanner struct {
	rules   Rules
	text    string
	end     int // of the token before
	strings continuation
	running bool // within a comment that runs
	path    path // to the end of the token before
}

// path says how far a name of several parts has come.
type path int

const (
	noPath path = iota
	pathName
	pathPoint
)

// Scanner returns one for text.
func (r Rules) Scanner(text string) *Scanner { return &Scanner{rules: r, text: text} }

// At returns the token that begins at pos, an offset before the end of the
// text. If pos is the end of the previous token, At continues from it;
// otherwise it starts again.
func (s *Scanner) At(pos int) Token {
	r, rest := &s.rules, s.text[pos:]
	if pos != s.end {
		s.strings, s.running, s.path = continuation{}, false, noPath
	}
	var t Token
	switch {
	case r.ReadPrograms && r.programMark(rest) > 0:
		t, s.running = token(Program, rest, r.programMark(rest)), true
	case s.running && strings.HasPrefix(rest, "*/"):
		t, s.running = token(Program, rest, 2), false
	case r.EscapePrefix && rest[0] == '\'' && s.strings.escapes():
		t = r.literal(String, rest, 0, true)
	case r.DigitNames && s.path == pathName && rest[0] == '.':
		t = token(Operator, rest, 1)
	case r.DigitNames && s.path == pathPoint && isDigit(rest[0]):
		t = token(Word, rest, r.word(rest))
		t.Name = t.Text
	default:
		t = r.next(rest)
	}
	s.strings.after(t)
	s.path = noPath
	switch {
	case t.IsName():
		s.path = pathName
	case t.Is("."):
		s.path = pathPoint
	}
	t.Pos = pos
	s.end = t.End()
	return t
}

// Significant is [Rules.Tokens] without spaces and comments.
func (r Rules) Significant(text string) []Token { return Significant(r.Tokens(text)) }

// Significant returns the tokens that are neither space nor comment.
func Significant(all []Token) []Token {
	kept := make([]Token, 0, len(all))
	for _, t := range all {
		if t.Kind != Space && t.Kind != Comment {
			kept = append(kept, t)
		}
	}
	return kept
}

// IsPlain reports whether name, written without quotes, is a word that means
// this very name. Reserved words are the caller's business.
func (r Rules) IsPlain(name string) bool {
	all := r.Tokens(name)
	return len(all) == 1 && all[0].Kind == Word && all[0].Name == name
}

// named gives the names that need what follows them: U&"…" with UESCAPE.
func (r Rules) named(all []Token) []Token {
	for i, t := range all {
		if t.Kind == Quoted && hasPrefixFold(t.Text, "u&") {
			all[i] = r.unicodeName(t, all[i+1:])
		}
	}
	return all
}

// continuation tracks PostgreSQL's strings that continue after a line break:
// the second part of E'…' has its escapes too.
type continuation struct{ escaped, broken bool }

func (c *continuation) escapes() bool { return c.escaped && c.broken }

func (c *continuation) after(t Token) {
	switch {
	case t.Kind == String:
		*c = continuation{escaped: hasPrefixFold(t.Text, "e'") || t.Text[0] == '\'' && c.escapes()}
	case t.Kind == Space:
		c.broken = c.broken || strings.ContainsAny(t.Text, "\n\r")
	case t.Kind != Comment || strings.HasPrefix(t.Text, "/*"):
		*c = continuation{}
	}
}
