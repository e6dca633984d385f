package sqltext

import "strings"

// startsNumber reports whether s begins with a digit, or a point before one.
func startsNumber(s string) bool {
	return isDigit(s[0]) || s[0] == '.' && len(s) > 1 && isDigit(s[1])
}

// number reads digits with separators, a fraction and an exponent, and handles
// a letter after them.
func (r *Rules) number(s string) Token {
	n := r.radix(s)
	if n == 0 {
		n = r.decimal(s)
	}
	end := n + r.word(s[n:]) // digits of another base too: 0b12
	switch {
	case end == n:
		return token(Number, s, n)
	case r.Strict || r.AfterDigits == Refused:
		return token(Illegal, s, end)
	case r.AfterDigits == Joined && r.word(s[:n]) == n: // neither a point nor a sign
		t := token(Word, s, end)
		t.Name = r.fold(t.Text)
		return t
	}
	return token(Number, s, n)
}

// digitsOf are the digits of a base, by the letter after 0.
var digitsOf = map[byte]func(c byte) bool{
	'b': func(c byte) bool { return c == '0' || c == '1' },
	'o': func(c byte) bool { return '0' <= c && c <= '7' },
	'x': isHex,
}

// radix returns the length of a number of another base than ten, 0 for none.
func (r *Rules) radix(s string) int {
	if len(s) < 2 || s[0] != '0' || strings.IndexByte(r.Radixes, lower(s[1])) < 0 || r.AfterDigits == Joined && s[1] != lower(s[1]) {
		return 0 // MySQL reads 0X as the start of a name
	}
	is := digitsOf[lower(s[1])]
	n := span(s[2:], func(c byte) bool { return is(c) || c == '_' && r.DigitSeparators })
	if n == 0 && !r.EmptyNumbers || n > 0 && s[2] == '_' && r.EndsAtNUL {
		return 0
	}
	return 2 + n
}

func (r *Rules) decimal(s string) int {
	n := 0
	if s[0] != '.' {
		n = r.digits(s)
	}
	if n < len(s) && s[n] == '.' && (r.EndsAtNUL || !strings.HasPrefix(s[n:], "..")) {
		n++
		n += r.digits(s[n:])
	}
	if n == len(s) || lower(s[n]) != 'e' {
		return n
	}
	e := n + 1
	if e < len(s) && (s[e] == '+' || s[e] == '-') {
		e++
	}
	if e < len(s) && isDigit(s[e]) {
		return e + r.digits(s[e:])
	}
	if r.EmptyNumbers && r.word(s[n+1:]) == 0 {
		return n + 1
	}
	return n
}

// digits returns the length of a run of digits and what may separate them.
// Where a separator may stand is the grammar's business.
func (r *Rules) digits(s string) int {
	return span(s, func(c byte) bool { return isDigit(c) || c == '_' && r.DigitSeparators })
}
