package mysql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a token of SQL text is.
type tokenKind int

const (
	spaceToken  tokenKind = iota // white space and comments
	wordToken                    // a bare word
	nameToken                    // a name in backquotes
	stringToken                  // in single or double quotes
	otherToken                   // numbers, operators, punctuation
)

// token is a piece of SQL text. The tokens of a text, put together, are the
// text.
type token struct {
	kind tokenKind
	text string
}

// is reports whether the token is the word or the punctuation, case aside.
func (t token) is(text string) bool {
	return (t.kind == wordToken || t.kind == otherToken) && strings.EqualFold(t.text, text)
}

// name returns what an identifier names, "" for other tokens.
func (t token) name() string {
	switch t.kind {
	case wordToken:
		return t.text
	case nameToken:
		return strings.ReplaceAll(strings.TrimSuffix(t.text[1:], "`"), "``", "`")
	}
	return ""
}

// scan takes SQL text apart as the server does in its ordinary mode: a
// backslash escapes within strings, double quotes make a string. The inside of
// a comment that the server executes, as /*!40101 … */, is code; only its
// opening and its end are white space.
func scan(text string) []token {
	var all []token
	executable := false
	for len(text) > 0 {
		t := next(text)
		switch {
		case strings.HasPrefix(text, "/*!"), strings.HasPrefix(text, "/*M!"):
			digits := strings.IndexByte(text, '!') + 1
			end := digits + strings.IndexFunc(text[digits:]+" ", func(r rune) bool { return r < '0' || r > '9' })
			t, executable = token{spaceToken, text[:end]}, true
		case executable && strings.HasPrefix(text, "*/"):
			t, executable = token{spaceToken, "*/"}, false
		}
		all = append(all, t)
		text = text[len(t.text):]
	}
	return all
}

func next(text string) token {
	c := text[0]
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case c == '#', strings.HasPrefix(text, "--") && (len(text) == 2 || text[2] <= ' '):
		return token{spaceToken, upTo(text, "\n")}
	case strings.HasPrefix(text, "/*"):
		return token{spaceToken, text[:2] + upTo(text[2:], "*/")}
	case c == '\'', c == '"':
		return token{stringToken, quotedText(text, true)}
	case c == '`':
		return token{nameToken, quotedText(text, false)}
	case len(text) > 1 && text[1] == '\'' && strings.IndexByte("xXbBnN", c) >= 0:
		return token{stringToken, text[:1] + quotedText(text[1:], true)}
	case unicode.IsSpace(r):
		return token{spaceToken, text[:size]}
	case isWord(r):
		end := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(text)
		}
		if text[0] >= '0' && text[0] <= '9' {
			return token{otherToken, text[:end]}
		}
		return token{wordToken, text[:end]}
	}
	return token{otherToken, text[:size]}
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || r >= utf8.RuneSelf && !unicode.IsSpace(r)
}

// upTo returns text up to the end mark and with it, or all of it.
func upTo(text, mark string) string {
	if i := strings.Index(text, mark); i >= 0 {
		return text[:i+len(mark)]
	}
	return text
}

// quotedText returns what stands in quotes at the start of text, quotes
// included. The closing quote is doubled within.
func quotedText(text string, escapes bool) string {
	for i := 1; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] == text[0] && i+1 < len(text) && text[i+1] == text[0]:
			i++
		case text[i] == text[0]:
			return text[:i+1]
		}
	}
	return text
}

// code returns the tokens that are neither white space nor comments.
func code(tokens []token) []token {
	var out []token
	for _, t := range tokens {
		if t.kind != spaceToken {
			out = append(out, t)
		}
	}
	return out
}

// unquote returns the value of a string literal; ok is false for other text.
func unquote(text string) (value string, ok bool) {
	if len(text) < 2 || text[0] != '\'' && text[0] != '"' || quotedText(text, true) != text || text[len(text)-1] != text[0] {
		return "", false
	}
	quote, body := text[:1], text[1:len(text)-1]
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && i+1 < len(body):
			i++
			b.WriteString(escaped(body[i]))
		case strings.HasPrefix(body[i:], quote+quote):
			i++
			b.WriteString(quote)
		case body[i] == '\\', body[i] == quote[0]:
			return "", false // it does not end where the text does
		default:
			b.WriteByte(body[i])
		}
	}
	return b.String(), true
}

// escaped is what a character stands for after a backslash.
func escaped(c byte) string {
	switch c {
	case '0':
		return "\x00"
	case 'b':
		return "\b"
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case 'Z':
		return "\x1a"
	case '%', '_':
		return `\` + string(c)
	}
	return string(c)
}

// quoteString writes a string literal.
func quoteString(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''", "\x00", `\0`).Replace(s) + "'"
}

// quoteName writes an identifier.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// quoteNames writes identifiers with commas between them.
func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteName(n)
	}
	return strings.Join(quoted, ", ")
}
