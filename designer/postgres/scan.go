package postgres

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SQL text is read here only as far as is needed to tell words, names and
// strings apart: to find the names in an expression and the ends of
// statements in a script.

// tokenKind says what a token is.
type tokenKind int

const (
	symbolToken tokenKind = iota // one character, or "::"
	spaceToken                   // white space and comments
	wordToken                    // key word or bare identifier
	nameToken                    // quoted identifier
	stringToken                  // in quotes or dollars
	numberToken
)

// token is a piece of SQL text. The tokens of a text, put together, are the
// text.
type token struct {
	kind tokenKind
	text string
}

// name returns the identifier that a word or quoted name means.
func (t token) name() string {
	switch {
	case t.kind == wordToken:
		return lower(t.text)
	case t.kind == nameToken && len(t.text) > 1:
		return strings.ReplaceAll(t.text[1:len(t.text)-1], `""`, `"`)
	}
	return ""
}

// lower folds a bare identifier as the server does: ASCII letters only.
func lower(word string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, word)
}

// is tells whether the token is a key word, given in lower case.
func (t token) is(word string) bool {
	return t.kind == wordToken && strings.EqualFold(t.text, word)
}

// scan takes SQL text apart.
func scan(text string) []token {
	var tokens []token
	for len(text) > 0 {
		t := next(text)
		tokens = append(tokens, t)
		text = text[len(t.text):]
	}
	return tokens
}

// next returns the token that text, which is not empty, begins with.
func next(text string) token {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "--"):
		return token{spaceToken, upTo(text, "\n")}
	case strings.HasPrefix(text, "/*"):
		return token{spaceToken, text[:commentEnd(text)]}
	case c == '\'':
		return token{stringToken, text[:quoteEnd(text, false)]}
	case c == '"':
		return token{nameToken, text[:quoteEnd(text, false)]}
	case c == '$':
		return dollars(text)
	case '0' <= c && c <= '9', c == '.' && len(text) > 1 && '0' <= text[1] && text[1] <= '9':
		return token{numberToken, text[:numberEnd(text)]}
	case strings.HasPrefix(text, "::"):
		return token{symbolToken, "::"}
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsSpace(r):
		return token{spaceToken, text[:runEnd(text, unicode.IsSpace)]}
	case isLetter(r):
		return word(text)
	}
	return token{symbolToken, text[:size]}
}

func isLetter(r rune) bool { return r == '_' || r >= utf8.RuneSelf || unicode.IsLetter(r) }

func runEnd(text string, in func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !in(r) }); end >= 0 {
		return end
	}
	return len(text)
}

func upTo(text, end string) string {
	if i := strings.Index(text, end); i >= 0 {
		return text[:i+len(end)]
	}
	return text
}

// word reads a bare word, or the string or quoted name that it is the prefix
// of (E'…', U&"…").
func word(text string) token {
	end := runEnd(text, func(r rune) bool { return isLetter(r) || r == '$' || '0' <= r && r <= '9' })
	prefix, rest := strings.ToLower(text[:end]), text[end:]
	switch {
	case prefix == "e" && strings.HasPrefix(rest, "'"):
		return token{stringToken, text[:end+quoteEnd(rest, true)]}
	case (prefix == "b" || prefix == "x" || prefix == "n") && strings.HasPrefix(rest, "'"):
		return token{stringToken, text[:end+quoteEnd(rest, false)]}
	case prefix == "u" && strings.HasPrefix(rest, "&'"):
		return token{stringToken, text[:end+1+quoteEnd(rest[1:], false)]}
	case prefix == "u" && strings.HasPrefix(rest, `&"`):
		return token{nameToken, text[:end+1+quoteEnd(rest[1:], false)]}
	}
	return token{wordToken, text[:end]}
}

// quoteEnd returns where the string or name that text begins with ends. The
// quote is doubled within; escapes makes a backslash take the next character.
func quoteEnd(text string, escapes bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] == text[0] && i+1 < len(text) && text[i+1] == text[0]:
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns where a comment ends; they nest.
func commentEnd(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// dollars reads $tag$ … $tag$, or the dollar alone, as before a parameter's
// number.
func dollars(text string) token {
	end := 1 + runEnd(text[1:], func(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' })
	if end >= len(text) || text[end] != '$' || end > 1 && '0' <= text[1] && text[1] <= '9' {
		return token{symbolToken, "$"}
	}
	tag := text[:end+1]
	if i := strings.Index(text[end+1:], tag); i >= 0 {
		return token{stringToken, text[:end+1+i+len(tag)]}
	}
	return token{stringToken, text}
}

func numberEnd(text string) int {
	end := runEnd(text, func(r rune) bool { return isLetter(r) || r == '.' || '0' <= r && r <= '9' })
	if last := text[end-1]; (last == 'e' || last == 'E') && end+1 < len(text) && (text[end] == '-' || text[end] == '+') {
		return end + 1 + runEnd(text[end+1:], func(r rune) bool { return '0' <= r && r <= '9' })
	}
	return end
}

// significant returns the tokens of text that are neither space nor comment.
func significant(text string) []token {
	var out []token
	for _, t := range scan(text) {
		if t.kind != spaceToken {
			out = append(out, t)
		}
	}
	return out
}

// withoutOuter takes off the parentheses around a whole expression.
func withoutOuter(text string) string {
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "(") || !closesAtEnd(text) {
			return text
		}
		text = text[1 : len(text)-1]
	}
}

// closesAtEnd tells whether the parenthesis that text begins with closes at
// its very end.
func closesAtEnd(text string) bool {
	depth, at := 0, 0
	for _, t := range scan(text) {
		at += len(t.text)
		switch {
		case t.kind != symbolToken:
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		}
		if depth == 0 {
			return at == len(text)
		}
	}
	return false
}
