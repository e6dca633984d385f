package mssql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a piece of Transact-SQL is.
type tokenKind int

const (
	symbol tokenKind = iota
	space
	comment
	word   // bare identifier, keyword or variable
	quoted // identifier in brackets or double quotes
	str    // string, with its N
	number
)

// token is a piece of Transact-SQL. The tokens of a text, put together, are
// the text.
type token struct {
	kind tokenKind
	text string
	name string // of a word or quoted identifier, without quotes
}

// is tells whether the token is the keyword or symbol, case aside.
func (t token) is(text string) bool { return t.kind != quoted && strings.EqualFold(t.text, text) }

// lex takes Transact-SQL apart. What does not end goes to the end.
func lex(text string) []token {
	var list []token
	for len(text) > 0 {
		t := next(text)
		list = append(list, t)
		text = text[len(t.text):]
	}
	return list
}

// significant drops white space and comments.
func significant(list []token) []token {
	var out []token
	for _, t := range list {
		if t.kind != space && t.kind != comment {
			out = append(out, t)
		}
	}
	return out
}

func next(text string) token {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case strings.HasPrefix(text, "--"):
		return token{kind: comment, text: upTo(text, strings.IndexByte(text, '\n')+1)}
	case strings.HasPrefix(text, "/*"):
		return token{kind: comment, text: text[:commentEnd(text)]}
	case r == '\'':
		t := enclosed(text, '\'')
		return token{kind: str, text: t.text}
	case (r == 'N' || r == 'n') && strings.HasPrefix(text[1:], "'"):
		t := enclosed(text[1:], '\'')
		return token{kind: str, text: text[:1+len(t.text)]}
	case r == '[':
		return enclosed(text, ']')
	case r == '"':
		return enclosed(text, '"')
	case unicode.IsSpace(r):
		return token{kind: space, text: upTo(text, strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }))}
	case isWordStart(r):
		w := upTo(text, strings.IndexFunc(text, func(r rune) bool { return !isWordPart(r) }))
		return token{kind: word, text: w, name: w}
	case '0' <= r && r <= '9':
		return token{kind: number, text: upTo(text, strings.IndexFunc(text, func(r rune) bool { return !isWordPart(r) && r != '.' }))}
	}
	return token{kind: symbol, text: text[:size]}
}

// upTo is text up to a position; 0 and less stand for the end.
func upTo(text string, end int) string {
	if end <= 0 {
		return text
	}
	return text[:end]
}

// commentEnd finds the end of a comment; they nest.
func commentEnd(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// enclosed reads up to the closing character, which is doubled within.
func enclosed(text string, end byte) token {
	var name strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != end:
			name.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == end:
			name.WriteByte(end)
			i++
		default:
			return token{kind: quoted, text: text[:i+1], name: name.String()}
		}
	}
	return token{kind: quoted, text: text, name: name.String()}
}

func isWordStart(r rune) bool {
	return r == '_' || r == '@' || r == '#' || unicode.IsLetter(r)
}

func isWordPart(r rune) bool {
	return isWordStart(r) || r == '$' || unicode.IsDigit(r)
}
