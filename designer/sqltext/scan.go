package sqltext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// next returns the first token of s, which is not empty, without Pos.
func (r *Rules) next(s string) Token {
	c := s[0]
	if n := r.space(s); n > 0 {
		return token(Space, s, n)
	}
	if t, ok := r.comment(s); ok {
		return t
	}
	switch {
	case c == 0 && r.EndsAtNUL:
		return token(Illegal, s, len(s))
	case strings.IndexByte(r.StringQuotes, c) >= 0:
		return r.text(s)
	case strings.IndexByte(r.NameQuotes, c) >= 0:
		return r.quotedName(s, 0)
	case startsNumber(s):
		return r.number(s)
	}
	if t, ok := r.prefixed(s); ok {
		return t
	}
	if t, ok := r.variable(s); ok {
		return t
	}
	if r.startsWord(s) {
		t := token(Word, s, r.word(s))
		t.Name = r.fold(t.Text)
		return t
	}
	return r.operator(s)
}

func token(kind Kind, s string, n int) Token { return Token{Kind: kind, Text: s[:n]} }

// unclosed is what s begins and does not end, n bytes long.
func unclosed(s string, n int) Token { return Token{Kind: Illegal, Text: s[:n], Unclosed: true} }

// space returns the length of the white space that s begins with.
func (r *Rules) space(s string) int {
	if r.MarkIsSpace && strings.HasPrefix(s, "\ufeff") {
		return len("\ufeff")
	}
	for i, c := range s {
		switch {
		case strings.ContainsRune(r.Spaces, c), i > 0 && strings.ContainsRune(r.InnerSpaces, c):
		case r.WideSpaces && isWideSpace(c):
		default:
			return i
		}
	}
	return len(s)
}

// isWideSpace reports whether r is a space. Like SQL Server, it counts control
// characters.
func isWideSpace(r rune) bool {
	return r < ' ' && r != 0 || r == ' ' || r == 0xfeff || r == 0x200b || unicode.IsSpace(r)
}

// comment reads the comment that s begins with.
func (r *Rules) comment(s string) (t Token, ok bool) {
	switch {
	case s[0] == '#' && r.HashComments:
		return r.lineComment(s), true
	case strings.HasPrefix(s, "--"):
		if r.BlankAfterDashes && len(s) > 2 && s[2] > ' ' && s[2] != 0x7f {
			return Token{}, false
		}
		return r.lineComment(s), true
	case strings.HasPrefix(s, "/*"):
		return r.blockComment(s)
	}
	return Token{}, false
}

// lineComment ends before the line does. What breaks other than line feeds
// would do there is doubtful on SQL Server.
func (r *Rules) lineComment(s string) Token {
	end := len(s)
	if n := strings.IndexAny(s, r.LineEnds); n >= 0 {
		end = n
	}
	end = r.end(s[:end])
	text := strings.TrimSuffix(s[:end], "\r")
	if r.Strict && r.WideSpaces && strings.ContainsAny(text, "\r\v\f\u0085\u2028\u2029\x00") {
		return token(Illegal, s, end)
	}
	return token(Comment, s, end)
}

func (r *Rules) blockComment(s string) (t Token, ok bool) {
	n, closed := commentEnd(s, r.NestedComments)
	if end := r.end(s[:n]); end < n {
		n, closed = end, false
	}
	switch {
	case n == 2 && r.OpenComments:
		return Token{}, false // two operators, as SQLite has it
	case !closed && r.OpenComments:
		return Token{Kind: Comment, Text: s[:n], Unclosed: true}, true
	case !closed:
		return unclosed(s, n), true
	case r.Programs && (r.programMark(s) > 0 || s[2] == '+'):
		return token(Program, s, n), true
	case r.Programs && r.Strict && strings.Contains(s[2:n], "/*"):
		// MariaDB and MySQL differ within comments that run; an honest comment
		// has no second beginning.
		return token(Illegal, s, n), true
	}
	return token(Comment, s, n), true
}

// programMark returns the length of the /*!, with its version, that opens a
// comment that runs.
func (r *Rules) programMark(s string) int {
	if !r.Programs || !strings.HasPrefix(s, "/*!") && !hasPrefixFold(s, "/*m!") {
		return 0
	}
	mark := strings.IndexByte(s, '!') + 1
	return mark + span(s[mark:], isDigit)
}

// commentEnd returns the length of the comment that s begins with, and
// whether it is closed.
func commentEnd(s string, nested bool) (n int, closed bool) {
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

// startsWord reports whether s begins with a character that a word begins
// with.
func (r *Rules) startsWord(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return r.isLetter(c, s[0]) || strings.ContainsRune(r.WordStarts, c)
}

// isLetter takes the first byte too: servers that do not know letters beyond
// ASCII take any byte there, whether it is text or not.
func (r *Rules) isLetter(c rune, first byte) bool {
	if r.WideLetters {
		return c == '_' || c != utf8.RuneError && unicode.IsLetter(c)
	}
	return isLetter(first)
}

// word returns the length of the run of characters that may be within a word.
func (r *Rules) word(s string) int {
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		in := r.isLetter(c, s[i]) || isDigit(s[i]) || r.WideLetters && (unicode.IsDigit(c) || unicode.Is(unicode.Mn, c)) ||
			s[i] < utf8.RuneSelf && (strings.IndexByte(r.WordStarts, s[i]) >= 0 || strings.IndexByte(r.WordParts, s[i]) >= 0)
		if !in {
			return i
		}
		i += size
	}
	return len(s)
}

// operator reads the longest operator that s begins with.
func (r *Rules) operator(s string) Token {
	if n := r.anyOperator(s); n > 0 {
		return token(Operator, s, n)
	}
	if n := longest(s, r.Operators); n > 0 {
		return token(Operator, s, n)
	}
	if strings.IndexByte(r.Punctuation, s[0]) >= 0 {
		return token(Operator, s, 1)
	}
	_, size := utf8.DecodeRuneInString(s)
	return token(Illegal, s, size)
}

// anyOperator returns the length of an operator of any characters. It ends
// before a comment, and before a sign unless one of the marks is in it.
func (r *Rules) anyOperator(s string) int {
	n := span(s, func(c byte) bool { return strings.IndexByte(r.OperatorCharacters, c) >= 0 })
	for i := 1; i+1 < n; i++ {
		if s[i:i+2] == "--" || s[i:i+2] == "/*" {
			n = i
		}
	}
	for n > 1 && (s[n-1] == '+' || s[n-1] == '-') && !strings.ContainsAny(s[:n-1], r.OperatorMarks) {
		n--
	}
	return n
}

// longest returns the length of the first of operators that s begins with, 0
// where none is.
func longest(s string, operators []string) int {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return len(op)
		}
	}
	return 0
}

// end returns where the text ends that the server reads.
func (r *Rules) end(s string) int {
	if i := strings.IndexByte(s, 0); i >= 0 && r.EndsAtNUL {
		return i
	}
	return len(s)
}

// equalFold folds ASCII letters only, as servers fold keywords.
func equalFold(a, b string) bool { return len(a) == len(b) && hasPrefixFold(a, b) }

func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != lower(prefix[i]) {
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
