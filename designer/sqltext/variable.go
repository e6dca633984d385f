package sqltext

import (
	"strings"
	"unicode/utf8"
)

// variable reads a parameter or a variable, and what else begins with their
// signs.
func (r *Rules) variable(s string) (t Token, ok bool) {
	switch r.Variables {
	case MySQLVariables:
		return r.variableMySQL(s)
	case TSQLVariables:
		return r.variableTSQL(s)
	case SQLiteVariables:
		return r.variableSQLite(s)
	}
	return Token{}, false
}

// variableMySQL reads ?, @a, @'a', @`a`, @@a and @@global.a. \N is NULL, as
// some servers have it.
func (r *Rules) variableMySQL(s string) (t Token, ok bool) {
	switch {
	case s[0] == '?':
		return token(Parameter, s, 1), true
	case strings.HasPrefix(s, `\N`) && !r.Strict:
		return token(Operator, s, 2), true
	case s[0] != '@':
		return Token{}, false
	}
	n := 1
	if n < len(s) && strings.IndexByte("'\"`", s[n]) >= 0 {
		return r.literal(Parameter, s, n, s[n] != '`' && r.Backslashes), true
	}
	if n < len(s) && s[n] == '@' {
		n++
		if n < len(s) && s[n] == '`' {
			return r.literal(Parameter, s, n, false), true
		}
	}
	n += span(s[n:], func(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' || c == '.' })
	return token(Parameter, s, n), true
}

// variableTSQL reads @a and @@a, and amounts of money.
func (r *Rules) variableTSQL(s string) (t Token, ok bool) {
	c, size := utf8.DecodeRuneInString(s)
	switch {
	case c == '@':
		return token(Parameter, s, 1+r.word(s[1:])), true
	case !r.Money || r.Strict || !strings.ContainsRune("$¢£¤¥€₩", c):
		return Token{}, false
	case size < len(s) && startsNumber(s[size:]):
		return token(Number, s, size+r.decimal(s[size:])), true
	case c == '$' && r.word(s[1:]) > 0: // $action, $identity: no column is called so
		return token(Word, s, 1+r.word(s[1:])), true
	}
	return token(Number, s, size), true // no amount is zero
}

// variableSQLite reads ?1 and $a, @a, #a, :a with Tcl's a::b and a(b).
func (r *Rules) variableSQLite(s string) (t Token, ok bool) {
	switch {
	case s[0] == '?':
		return token(Parameter, s, 1+span(s[1:], isDigit)), true
	case strings.IndexByte("$@#:", s[0]) < 0:
		return Token{}, false
	}
	kind, n := tclName(s, r)
	return token(kind, s, n), true
}

func tclName(s string, r *Rules) (Kind, int) {
	kind, i := Illegal, 1
	for i < len(s) {
		switch n := r.word(s[i:]); {
		case n > 0:
			kind = Parameter
			i += n
		case s[i] == '(' && kind == Parameter:
			i += 1 + span(s[i+1:], func(c byte) bool { return c != 0 && c != ')' && strings.IndexByte(asciiSpaces, c) < 0 })
			if i < len(s) && s[i] == ')' {
				return Parameter, i + 1
			}
			return Illegal, i
		case strings.HasPrefix(s[i:], "::"):
			i += 2
		default:
			return kind, i
		}
	}
	return kind, i
}
