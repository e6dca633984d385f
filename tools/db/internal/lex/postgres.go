package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Postgres splits sql as PostgreSQL's scanner (scan.l) does with
// standard_conforming_strings on: nested comments, E strings with
// backslashes, U& strings and names with escapes, dollar quotes. Words are
// folded to lower case and names cut to 63 bytes, as the server does.
func Postgres(sql string) []Token {
	all := tokens(sql, nextPostgres)
	for i, t := range all {
		if t.Kind == Quoted && t.Text[0] != '"' {
			all[i] = unicodeName(t, all[i+1:])
		}
	}
	return all
}

func nextPostgres(s string) Token {
	switch c := s[0]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return token(Space, s, span(s, func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }))
	case strings.HasPrefix(s, "--"):
		return token(Comment, s, span(s, func(c byte) bool { return c != '\n' && c != '\r' }))
	case strings.HasPrefix(s, "/*"):
		n, ok := blockComment(s, true)
		if !ok {
			return token(Illegal, s, n)
		}
		return token(Comment, s, n)
	case c == '\'':
		return literal(String, s, 0, false)
	case c == '"':
		return quotedPostgres(s, 0)
	case len(s) > 1 && s[1] == '\'' && strings.IndexByte("ebxn", lower(c)) >= 0:
		return literal(String, s, 1, lower(c) == 'e')
	case len(s) > 2 && lower(c) == 'u' && s[1] == '&' && s[2] == '\'':
		return literal(String, s, 2, false)
	case len(s) > 2 && lower(c) == 'u' && s[1] == '&' && s[2] == '"':
		return quotedPostgres(s, 2)
	case c == '$':
		return dollarPostgres(s)
	case startsNumber(s):
		return number(s)
	case isLetter(c):
		t := token(Word, s, span(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' }))
		t.Name = cutName(lowerASCII(t.Text))
		return t
	}
	return operatorPostgres(s)
}

func quotedPostgres(s string, prefix int) Token {
	t := literal(Quoted, s, prefix, false)
	if t.Kind == Quoted {
		t.Name = cutName(unquote(t.Text[prefix:], `"`))
		if t.Name == "" {
			t.Kind = Illegal
		}
	}
	return t
}

// dollarPostgres reads $1 or a text within $tag$.
func dollarPostgres(s string) Token {
	if n := span(s[1:], isDigit); n > 0 {
		return token(Variable, s, 1+n)
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
		return token(Illegal, s, len(s))
	}
	return token(String, s, end+2*len(tag))
}

// operatorPostgres takes the longest operator, which ends before a comment,
// and before a sign unless one of some characters is in it.
func operatorPostgres(s string) Token {
	const marks = "~!@#^&|`?%"
	n := span(s, func(c byte) bool { return strings.IndexByte(marks+"+-*/<>=", c) >= 0 })
	for i := 1; i+1 < n; i++ {
		if s[i:i+2] == "--" || s[i:i+2] == "/*" {
			n = i
		}
	}
	for n > 1 && (s[n-1] == '+' || s[n-1] == '-') && !strings.ContainsAny(s[:n-1], marks) {
		n--
	}
	if n > 0 {
		return token(Operator, s, n)
	}
	if strings.IndexByte(",()[].;:", s[0]) >= 0 {
		return token(Operator, s, longest(s, []string{"::", ":=", ".."}))
	}
	return token(Illegal, s, 1)
}

// unicodeName decodes U&"…" with the escape character that UESCAPE gives.
func unicodeName(t Token, rest []Token) Token {
	escape := byte('\\')
	rest = Significant(rest)
	if len(rest) > 1 && rest[0].Is("UESCAPE") {
		// The server wants one character in plain quotes there.
		if text := rest[1].Text; rest[1].Kind != String || len(text) != 3 || text[0] != '\'' {
			t.Kind = Illegal
			return t
		}
		escape = rest[1].Text[1]
	}
	name, ok := unescape(unquote(t.Text[2:], `"`), escape)
	if !ok {
		t.Kind = Illegal
	}
	t.Name = cutName(name)
	return t
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

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

// cutName cuts a name as the server does: to 63 bytes, at a character.
func cutName(s string) string {
	const most = 63
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
