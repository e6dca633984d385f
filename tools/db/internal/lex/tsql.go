package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TSQL splits sql as SQL Server does with QUOTED_IDENTIFIER on: […] and "…"
// are names, comments nest. Names keep their case.
func TSQL(sql string) []Token { return tokens(sql, nextTSQL) }

func nextTSQL(s string) Token {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == 0, r == utf8.RuneError:
		return token(Illegal, s, size)
	case isSpaceTSQL(r):
		return token(Space, s, size)
	case strings.HasPrefix(s, "--"):
		return lineCommentTSQL(s)
	case strings.HasPrefix(s, "/*"):
		n, ok := blockComment(s, true)
		if !ok {
			return token(Illegal, s, n)
		}
		return token(Comment, s, n)
	case r == '\'':
		return literal(String, s, 0, false)
	case (r == 'N' || r == 'n') && len(s) > 1 && s[1] == '\'':
		return literal(String, s, 1, false)
	case r == '"':
		t := literal(Quoted, s, 0, false)
		if t.Kind == Quoted {
			t.Name = unquote(t.Text, `"`)
		}
		return t
	case r == '[':
		return bracketed(s)
	case startsNumber(s):
		return numberTSQL(s)
	case r == '@':
		return token(Variable, s, spanTSQL(s))
	case r == '#' || isLetterTSQL(r):
		t := token(Word, s, spanTSQL(s))
		t.Name = t.Text
		return t
	}
	if strings.IndexByte("!%&()*+,-./:;<=>^|~", s[0]) >= 0 {
		return token(Operator, s, longest(s, []string{"<=", "<>", ">=", "!=", "!<", "!>", "::", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}))
	}
	return token(Illegal, s, size)
}

// bracketed reads a name in brackets, in which ] is doubled.
func bracketed(s string) Token {
	for i := 1; i < len(s) && s[i] != 0; i++ {
		if s[i] != ']' {
			continue
		}
		if i+1 < len(s) && s[i+1] == ']' {
			i++
			continue
		}
		t := token(Quoted, s, i+1)
		t.Name = strings.ReplaceAll(s[1:i], "]]", "]")
		return t
	}
	return token(Illegal, s, len(s))
}

// lineCommentTSQL ends at a line feed. What other breaks would do there is
// doubtful.
func lineCommentTSQL(s string) Token {
	n := span(s, func(c byte) bool { return c != '\n' })
	text := strings.TrimSuffix(s[:n], "\r")
	if strings.ContainsAny(text, "\r\v\f\u0085\u2028\u2029\x00") {
		return token(Illegal, s, n)
	}
	return token(Comment, s, n)
}

// numberTSQL knows 0x without digits and 1e without an exponent, which SQL
// Server takes, and takes them only where nothing runs into them.
func numberTSQL(s string) Token {
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		n := 2 + span(s[2:], isHex)
		return notInto(s, n)
	}
	if t := number(s); t.Kind == Illegal {
		return t
	}
	return notInto(s, decimal(s))
}

func notInto(s string, n int) Token {
	if n < len(s) && (isLetter(s[n]) || strings.IndexByte("$@#", s[n]) >= 0) {
		return token(Illegal, s, n+1)
	}
	return token(Number, s, n)
}

func spanTSQL(s string) int {
	for i, r := range s {
		if !isLetterTSQL(r) && !unicode.IsDigit(r) && !strings.ContainsRune("@#$", r) && !unicode.Is(unicode.Mn, r) {
			return i
		}
	}
	return len(s)
}

func isLetterTSQL(r rune) bool { return r == '_' || r != utf8.RuneError && unicode.IsLetter(r) }

// isSpaceTSQL takes controls for spaces, as SQL Server does.
func isSpaceTSQL(r rune) bool {
	return r < ' ' && r != 0 || r == ' ' || r == 0xfeff || r == 0x200b || unicode.IsSpace(r)
}
