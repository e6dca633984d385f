package sqltext

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// closing returns the character that closes what open opens.
func closing(open byte) byte {
	if open == '[' {
		return ']'
	}
	return open
}

// QuoteName writes a name in the quotes that open begins. A name with ] in it
// cannot be written in SQLite's brackets, and gets the preferred quotes.
func (r Rules) QuoteName(name string, open byte) string {
	if open == '[' && r.PlainBrackets && strings.Contains(name, "]") {
		open = r.NameQuotes[0]
	}
	end := string(closing(open))
	return string(open) + strings.ReplaceAll(name, end, end+end) + end
}

// quoteEnd returns the length of s, which begins with a quote, up to what
// closes it; doubled ones are inside, and with escapes those behind a
// backslash. ok is false where it is not closed. zeros says that zero bytes may
// be inside.
func quoteEnd(s string, doubled, escapes, zeros bool) (n int, ok bool) {
	q := closing(s[0])
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == 0 && !zeros:
			return len(s), false
		case escapes && s[i] == '\\':
			i++
		case s[i] != q:
		case doubled && i+1 < len(s) && s[i+1] == q:
			i++
		default:
			return i + 1, true
		}
	}
	return len(s), false
}

// literal reads a token of kind whose quote stands behind a prefix.
func (r *Rules) literal(kind Kind, s string, prefix int, escapes bool) Token {
	n, ok := quoteEnd(s[prefix:], true, escapes, r.NULInStrings && !r.Strict)
	if !ok {
		return unclosed(s, r.end(s))
	}
	return token(kind, s, prefix+n)
}

// text reads a string without a prefix.
func (r *Rules) text(s string) Token {
	t := r.literal(String, s, 0, r.Backslashes)
	if r.StringNames && t.Kind == String {
		t.Name = unquote(t.Text)
	}
	return t
}

// quotedName reads a name whose quote stands behind a prefix.
func (r *Rules) quotedName(s string, prefix int) Token {
	n, ok := quoteEnd(s[prefix:], s[prefix] != '[' || !r.PlainBrackets, false, false)
	if !ok {
		return unclosed(s, r.end(s))
	}
	t := token(Quoted, s, prefix+n)
	t.Name = r.cut(unquote(t.Text[prefix:]))
	if s[prefix] == '[' && r.PlainBrackets {
		t.Name = t.Text[1 : len(t.Text)-1]
	}
	if t.Name == "" && !r.EmptyNames {
		t.Kind = Illegal
	}
	if prefix > 0 {
		t.Name = "" // see unicodeName
	}
	return t
}

// unquote removes the quotes and undoubles those inside.
func unquote(s string) string {
	q := s[len(s)-1:]
	return strings.ReplaceAll(s[1:len(s)-1], q+q, q)
}

// prefixed reads what a prefix or dollars make a string or name.
func (r *Rules) prefixed(s string) (t Token, ok bool) {
	c := lower(s[0])
	quote := len(s) > 1 && s[1] == '\''
	switch {
	case quote && c == 'x' && r.HexBlobs:
		return r.blob(s), true
	case quote && strings.IndexByte(r.Prefixes, c) >= 0:
		return r.literal(String, s, 1, c == 'n' && r.Backslashes), true
	case quote && c == 'e' && r.EscapePrefix:
		return r.literal(String, s, 1, true), true
	case r.UnicodePrefix && hasPrefixFold(s, "u&'"):
		return r.literal(String, s, 2, false), true
	case r.UnicodePrefix && hasPrefixFold(s, `u&"`):
		return r.quotedName(s, 2), true
	case r.DollarQuotes && c == '$':
		return r.dollars(s), true
	}
	return Token{}, false
}

// blob reads pairs of hexadecimal digits. Anything else is illegal up to the
// next quote.
func (r *Rules) blob(s string) Token {
	n := 2 + span(s[2:], isHex)
	if n < len(s) && s[n] == '\'' && n%2 == 0 {
		return token(String, s, n+1)
	}
	end := r.end(s)
	if i := strings.IndexByte(s[n:end], '\''); i >= 0 {
		return token(Illegal, s, n+i+1)
	}
	return unclosed(s, end)
}

// dollars reads $1 or a string within $tag$.
func (r *Rules) dollars(s string) Token {
	if n := span(s[1:], isDigit); n > 0 {
		return token(Parameter, s, 1+n)
	}
	n := 1
	if n < len(s) && isLetter(s[n]) {
		n += span(s[n:], func(c byte) bool { return isLetter(c) || isDigit(c) })
	}
	if n == len(s) || s[n] != '$' {
		return token(Illegal, s, n)
	}
	tag := s[:n+1]
	end := strings.Index(s[len(tag):], tag)
	if end < 0 || strings.IndexByte(s[:len(tag)+end], 0) >= 0 {
		return unclosed(s, len(s))
	}
	return token(String, s, end+2*len(tag))
}

// unicodeName decodes U&"…" with the escape character that UESCAPE gives.
func (r *Rules) unicodeName(t Token, rest []Token) Token {
	escape := byte('\\')
	rest = firstSignificant(rest)
	if len(rest) > 1 && rest[0].Is("UESCAPE") {
		// The server wants one character in plain quotes there.
		if text := rest[1].Text; rest[1].Kind != String || len(text) != 3 || text[0] != '\'' {
			t.Kind = Illegal
			return t
		}
		escape = rest[1].Text[1]
	}
	name, ok := unescape(unquote(t.Text[2:]), escape)
	if !ok {
		t.Kind = Illegal
	}
	t.Name = r.cut(name)
	return t
}

// firstSignificant returns the first two tokens of all that are neither space
// nor comment.
func firstSignificant(all []Token) []Token {
	var kept []Token
	for _, t := range all {
		if t.Kind != Space && t.Kind != Comment {
			kept = append(kept, t)
		}
		if len(kept) == 2 {
			break
		}
	}
	return kept
}

func unescape(s string, escape byte) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != escape {
			b.WriteByte(s[i])
			i++
			continue
		}
		i++
		if i < len(s) && s[i] == escape {
			b.WriteByte(escape)
			i++
			continue
		}
		digits := 4
		if i < len(s) && s[i] == '+' {
			i++
			digits = 6
		}
		if i+digits > len(s) {
			return "", false
		}
		code, err := strconv.ParseUint(s[i:i+digits], 16, 32)
		if err != nil || !utf8.ValidRune(rune(code)) {
			return "", false // surrogate pairs too: no name needs them
		}
		b.WriteRune(rune(code))
		i += digits
	}
	return b.String(), true
}

// fold returns the name that a word means, "" for a character set.
func (r *Rules) fold(word string) string {
	if word[0] == '_' && slices.ContainsFunc(r.Introducers, func(set string) bool { return equalFold(set, word[1:]) }) {
		return ""
	}
	if !r.LowerWords {
		return r.cut(word)
	}
	b := []byte(word)
	for i, c := range b {
		b[i] = lower(c)
	}
	return r.cut(string(b))
}

// cut cuts a name as the server does: to a number of bytes, at a character
// boundary.
func (r *Rules) cut(name string) string {
	if r.MaxName == 0 || len(name) <= r.MaxName {
		return name
	}
	n := r.MaxName
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}
