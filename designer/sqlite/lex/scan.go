package lex

import "strings"

// next returns the kind and length of the first token of s, which is not
// empty.
func next(s string) (Kind, int) {
	switch c := s[0]; {
	case c == 0:
		return Illegal, len(s)
	case isSpace(c) && c != '\v':
		return Space, span(s, isSpace)
	case strings.HasPrefix(s, "\xef\xbb\xbf"):
		return Space, 3
	case c == '\'' || c == '"' || c == '`':
		return quoted(s)
	case c == '[':
		return bracketed(s)
	case isDigit(c), c == '.' && len(s) > 1 && isDigit(s[1]):
		return number(s)
	case c == '?':
		return Variable, 1 + span(s[1:], isDigit)
	case c == '$' || c == '@' || c == '#' || c == ':':
		return variable(s)
	case (c == 'x' || c == 'X') && len(s) > 1 && s[1] == '\'':
		return blob(s)
	case isName(c):
		return Word, span(s, isName)
	default:
		return operator(s)
	}
}

func quoted(s string) (Kind, int) {
	q := s[0]
	for i := 1; i < len(s) && s[i] != 0; i++ {
		if s[i] != q {
			continue
		}
		if i+1 < len(s) && s[i+1] == q {
			i++
			continue
		}
		if q == '\'' {
			return String, i + 1
		}
		return Identifier, i + 1
	}
	return Illegal, untilNUL(s)
}

func bracketed(s string) (Kind, int) {
	end := untilNUL(s)
	if i := strings.IndexByte(s[:end], ']'); i > 0 {
		return Identifier, i + 1
	}
	return Illegal, end
}

func blob(s string) (Kind, int) {
	n := 2 + span(s[2:], isHex)
	if n < len(s) && s[n] == '\'' && n%2 == 0 {
		return Blob, n + 1
	}
	end := untilNUL(s)
	if i := strings.IndexByte(s[n:end], '\''); i >= 0 {
		return Illegal, n + i + 1
	}
	return Illegal, end
}

// number takes what SQLite takes: digits with "_" among them, a fraction, an
// exponent, or hexadecimal. A name character right behind makes the whole run
// illegal.
func number(s string) (Kind, int) {
	var n int
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isHex(s[2]) {
		n = 2 + digits(s[2:], isHex)
	} else {
		n = decimal(s)
	}
	if rest := span(s[n:], isName); rest > 0 {
		return Illegal, n + rest
	}
	return Number, n
}

func decimal(s string) int {
	n := 0
	if s[0] != '.' {
		n = digits(s, isDigit)
	}
	if n < len(s) && s[n] == '.' {
		n++
		n += digits(s[n:], isDigit)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if e < len(s) && isDigit(s[e]) {
			n = e + digits(s[e:], isDigit)
		}
	}
	return n
}

// digits returns the length of a run of digits and "_". Where a "_" may
// stand is the grammar's business: SQLite refuses a bad one later.
func digits(s string, digit func(byte) bool) int {
	return span(s, func(c byte) bool { return digit(c) || c == '_' })
}

// variable takes $a, @a, #a, :a with Tcl's a::b and a(b), as SQLite does.
func variable(s string) (Kind, int) {
	named := 0
	i := 1
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case isName(c):
			named++
		case c == '(' && named > 0:
			for i++; i < len(s) && s[i] != 0 && !isSpace(s[i]) && s[i] != ')'; i++ {
			}
			if i < len(s) && s[i] == ')' {
				return Variable, i + 1
			}
			return Illegal, i
		case c == ':' && i+1 < len(s) && s[i+1] == ':':
			i++
		default:
			return variableKind(named), i
		}
	}
	return variableKind(named), i
}

func variableKind(named int) Kind {
	if named == 0 {
		return Illegal
	}
	return Variable
}

func operator(s string) (Kind, int) {
	switch {
	case strings.HasPrefix(s, "--"):
		end := untilNUL(s)
		if i := strings.IndexByte(s[:end], '\n'); i >= 0 {
			return Comment, i // the line break is a space of its own
		}
		return Comment, end
	case strings.HasPrefix(s, "/*") && untilNUL(s) > 2:
		end := untilNUL(s)
		if i := strings.Index(s[2:end], "*/"); i >= 0 {
			return Comment, i + 4
		}
		return Comment, end // SQLite lets a comment run to the end
	case strings.HasPrefix(s, "->>"):
		return Operator, 3
	}
	for _, op := range [...]string{"->", "==", "<=", "<>", "<<", ">=", ">>", "!=", "||"} {
		if strings.HasPrefix(s, op) {
			return Operator, 2
		}
	}
	if strings.IndexByte("-+*/%=<>|&~,;.()", s[0]) >= 0 {
		return Operator, 1
	}
	return Illegal, 1
}

func untilNUL(s string) int {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return i
	}
	return len(s)
}

func span(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

// isSpace includes the vertical tab, which goes on with white space but does
// not begin it.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// isName tells what an unquoted name consists of: any byte beyond ASCII too.
func isName(c byte) bool {
	return c == '_' || c == '$' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
