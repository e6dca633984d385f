package lex

import "strings"

// MySQL splits sql as MySQL and MariaDB do with a sql_mode that has neither
// ANSI_QUOTES nor NO_BACKSLASH_ESCAPES: "…" is a text, a backslash escapes,
// comments do not nest. Comments that run or set something are a [Program].
// Names keep their case: what the server makes of it depends on its platform.
func MySQL(sql string) []Token { return tokens(sql, nextMySQL) }

func nextMySQL(s string) Token {
	switch c := s[0]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return token(Space, s, span(s, func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }))
	case c == '#':
		return token(Comment, s, span(s, func(c byte) bool { return c != '\n' }))
	case strings.HasPrefix(s, "--"):
		// Only with a space or control character behind it, or nothing.
		if len(s) == 2 || s[2] <= ' ' || s[2] == 0x7f {
			return token(Comment, s, span(s, func(c byte) bool { return c != '\n' }))
		}
		return token(Operator, s, 1)
	case strings.HasPrefix(s, "/*"):
		return commentMySQL(s)
	case c == '\'' || c == '"':
		return literal(String, s, 0, true)
	case c == '`':
		t := literal(Quoted, s, 0, false)
		if t.Kind == Quoted {
			t.Name = unquote(t.Text, "`")
		}
		return t
	case len(s) > 1 && s[1] == '\'' && strings.IndexByte("bxn", lower(c)) >= 0:
		return literal(String, s, 1, lower(c) == 'n')
	case c == '@':
		return variableMySQL(s)
	case c == '?':
		return token(Variable, s, 1)
	case startsNumber(s):
		return number(s)
	case isLetter(c) || c == '$':
		t := token(Word, s, span(s, isNameMySQL))
		t.Name = t.Text
		return t
	}
	if strings.IndexByte("!%&()*+,-./:;<=>^{|}~", s[0]) >= 0 {
		return token(Operator, s, longest(s, []string{"->>", "<=>", ":=", "->", "<=", "<>", "<<", ">=", ">>", "!=", "||", "&&"}))
	}
	return token(Illegal, s, 1) // \N too: NULL says it
}

func isNameMySQL(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' }

func commentMySQL(s string) Token {
	n, ok := blockComment(s, false)
	switch {
	case !ok:
		return token(Illegal, s, n)
	case s[2] == '!', s[2] == '+', lower(s[2]) == 'm' && s[3] == '!':
		return token(Program, s, n)
	case strings.Contains(s[2:n], "/*"):
		// MariaDB and MySQL differ within comments that run; an honest comment
		// has no second beginning.
		return token(Illegal, s, n)
	}
	return token(Comment, s, n)
}

// variableMySQL reads @a, @'a', @`a`, @@a, @@global.a.
func variableMySQL(s string) Token {
	n := 1
	if n < len(s) && strings.IndexByte("'\"`", s[n]) >= 0 {
		return literal(Variable, s, n, s[n] != '`')
	}
	if n < len(s) && s[n] == '@' {
		n++
		if n < len(s) && s[n] == '`' {
			return literal(Variable, s, n, false)
		}
	}
	n += span(s[n:], func(c byte) bool { return isNameMySQL(c) || c == '.' })
	return token(Variable, s, n)
}
