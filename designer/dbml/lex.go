package dbml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// Error reports where a file is not DBML or uses something that berth does not
// support.
type Error struct {
	Line    int // from 1
	Column  int // from 1, in characters; 0: the line as a whole
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// kind is what a token is.
type kind int

const (
	end     kind = iota
	word         // bare: a name, a keyword, or what begins like a number and is none
	quoted       // "…": a name whatever it says
	text         // '…' or '''…'''
	formula      // `…`: SQL
	number       // without a sign
	color        // #fff
	symbol       // one of {}[]():,.<>-~+ and <>, or any other character
)

// token is a piece of a file. Spaces and comments are no tokens.
type token struct {
	kind    kind
	text    string // what it means: quotes taken off, escapes undone
	line    int
	column  int
	glued   bool // nothing stands between it and the token before
	newLine bool // it is the first of its line
}

// is reports whether t is the symbol or, whatever its case, the bare word.
func (t token) is(s string) bool {
	return t.kind == symbol && t.text == s || t.kind == word && strings.EqualFold(t.text, s)
}

// name reports whether t may be an identifier.
func (t token) name() bool { return t.kind == word || t.kind == quoted }

// shown returns t for an error message, with bounded length.
func (t token) shown() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case formula:
		return "an expression in backticks"
	}
	return strconv.Quote(excerpt(t.text))
}

// maxExcerpt bounds text of others in a message, in bytes.
const maxExcerpt = 60

// excerpt is text of others as messages repeat it.
func excerpt(s string) string { return clip.Text(s, maxExcerpt) }

// lexer splits a file into tokens.
type lexer struct {
	rest   string
	line   int
	column int
	tokens []token
	// of the token that comes
	glued, newLine bool
}

// lex returns the tokens of a file, the last one of kind end.
func lex(file string) ([]token, error) {
	l := &lexer{rest: strings.TrimPrefix(file, "\ufeff"), line: 1, column: 1, newLine: true}
	for {
		if err := l.skip(); err != nil {
			return nil, err
		}
		if l.rest == "" {
			l.add(end, "", 0)
			return l.tokens, nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

func (l *lexer) fail(format string, args ...any) error {
	return &Error{Line: l.line, Column: l.column, Message: fmt.Sprintf(format, args...)}
}

// add ends a token of n bytes.
func (l *lexer) add(k kind, meaning string, n int) {
	l.tokens = append(l.tokens, token{kind: k, text: meaning, line: l.line, column: l.column, glued: l.glued, newLine: l.newLine})
	l.pass(n)
	l.glued, l.newLine = true, false
}

// pass advances by n bytes.
func (l *lexer) pass(n int) {
	passed := l.rest[:n]
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		l.line += strings.Count(passed, "\n")
		l.column, passed = 1, passed[i+1:]
	}
	l.column += utf8.RuneCountInString(passed)
	l.rest = l.rest[n:]
}

// skip passes spaces and comments.
func (l *lexer) skip() error {
	for l.rest != "" {
		n := 0
		switch c := l.rest[0]; {
		case c == '\n':
			n, l.newLine = 1, true
		case c == ' ', c == '\t', c == '\r':
			n = 1
		case strings.HasPrefix(l.rest, "//"):
			n = len(l.rest)
			if i := strings.IndexByte(l.rest, '\n'); i >= 0 {
				n = i
			}
		case strings.HasPrefix(l.rest, "/*"):
			i := strings.Index(l.rest[2:], "*/")
			if i < 0 {
				return l.fail("a comment does not end: close it with */")
			}
			n = i + 4
			l.newLine = l.newLine || strings.Contains(l.rest[:n], "\n")
		default:
			return nil
		}
		l.pass(n)
		l.glued = false
	}
	return nil
}

func (l *lexer) next() error {
	switch c := l.rest[0]; {
	case strings.HasPrefix(l.rest, "'''"):
		return l.escaped(text, "'''", true)
	case c == '\'':
		return l.escaped(text, "'", false)
	case c == '"':
		return l.escaped(quoted, `"`, false)
	case c == '`':
		return l.formula()
	case c == '#':
		l.add(color, l.rest[:wordEnd(l.rest[1:])+1], wordEnd(l.rest[1:])+1)
		return nil
	case strings.HasPrefix(l.rest, "<>"):
		l.add(symbol, "<>", 2)
		return nil
	}
	if n := numberEnd(l.rest); n > 0 {
		l.add(number, l.rest[:n], n)
		return nil
	}
	if n := wordEnd(l.rest); n > 0 {
		l.add(word, l.rest[:n], n)
		return nil
	}
	_, size := utf8.DecodeRuneInString(l.rest)
	l.add(symbol, l.rest[:size], size)
	return nil
}

// wordEnd returns how many bytes of letters, digits and underscores s begins
// with.
func wordEnd(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && !('0' <= r && r <= '9') && !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// numberEnd returns how many bytes of an unsigned number s begins with, 0
// where a word begins, such as 2fa.
func numberEnd(s string) int {
	digits := func(i int) int {
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i
	}
	n := digits(0)
	if n == 0 {
		return 0
	}
	if n+1 < len(s) && s[n] == '.' && digits(n+1) > n+1 {
		n = digits(n + 1)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if digits(m) > m {
			n = digits(m)
		}
	}
	if wordEnd(s[n:]) > 0 {
		return 0
	}
	return n
}

// formula reads SQL in backticks, in which nothing is escaped.
func (l *lexer) formula() error {
	n := strings.IndexByte(l.rest[1:], '`')
	if n < 0 {
		return l.fail("an expression does not end: close it with a backtick")
	}
	l.add(formula, strings.TrimSpace(l.rest[1:n+1]), n+2)
	return nil
}

// escaped reads a string or a quoted name.
func (l *lexer) escaped(k kind, quote string, lines bool) error {
	var out strings.Builder
	for i := len(quote); i < len(l.rest); {
		switch c := l.rest[i]; {
		case strings.HasPrefix(l.rest[i:], quote):
			meaning := out.String()
			if lines {
				meaning = unindent(meaning)
			}
			l.add(k, meaning, i+len(quote))
			return nil
		case c == '\n' && !lines:
			return l.fail("a %s in %s does not end on its line: close it, or use ''' for text of several lines", what(k), quote)
		case c == '\\':
			s, n, err := unescape(l.rest[i:])
			if err != nil {
				return l.fail("%v", err)
			}
			out.WriteString(s)
			i += n
		default:
			out.WriteByte(c)
			i++
		}
	}
	return l.fail("a %s in %s does not end: close it", what(k), quote)
}

func what(k kind) string {
	if k == quoted {
		return "name"
	}
	return "string"
}

// unescape reads what begins with a backslash and returns its meaning and its
// length.
func unescape(s string) (meaning string, n int, err error) {
	if len(s) < 2 {
		return `\`, 1, nil
	}
	switch c := s[1]; c {
	case '\n':
		return "", 2, nil // a line continuation
	case '\r':
		return "", 2 + len(s[2:]) - len(strings.TrimPrefix(s[2:], "\n")), nil
	case 'u':
		if len(s) < 6 {
			return "", 0, fmt.Errorf(`\u needs four hexadecimal digits`)
		}
		r, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return "", 0, fmt.Errorf(`\u needs four hexadecimal digits`)
		}
		return string(rune(r)), 6, nil
	default:
		if i := strings.IndexByte("tnr0bvf", c); i >= 0 {
			return "\t\n\r\x00\b\v\f"[i : i+1], 2, nil
		}
		_, size := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+size], 1 + size, nil
	}
}

// unindent removes leading empty lines and the common indentation from a
// multi-line string.
func unindent(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	for len(lines) > 1 && blank(lines[0]) {
		lines = lines[1:]
	}
	indent := -1
	for _, line := range lines {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); !blank(line) && (indent < 0 || n < indent) {
			indent = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(indent, 0), len(line)):]
	}
	if n := len(lines) - 1; n > 0 && blank(lines[n]) {
		lines = lines[:n]
	}
	return strings.Join(lines, "\n")
}
