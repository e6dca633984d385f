package sqlite

import (
	"strings"
	"unicode"

	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/sqltext"
)

// plainName is what needs no quotes anywhere, keywords aside.
var plainName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// ident writes a name, in quotes where it needs them.
func ident(name string) string {
	if plainName().MatchString(name) && !keywords[strings.ToUpper(name)] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// spoken is a name in a comment, which is one line.
func spoken(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)
}

// idents writes a parenthesised list of names.
func idents(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = ident(n)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// literal writes a string.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// parens puts an expression in parentheses that a comment at its end does not
// swallow.
func parens(expression string) string { return "(" + closed(expression) + ")" }

// closed ends a text that ends in a comment up to the end of the line, so
// that something can follow it.
func closed(text string) string {
	tokens := sqltext.SQLite().Tokens(text)
	if n := len(tokens); n > 0 && tokens[n-1].Kind == sqltext.Comment && strings.HasPrefix(tokens[n-1].Text, "--") {
		return text + "\n"
	}
	return text
}

// isLiteral reports whether an expression is a value that may follow DEFAULT
// without parentheses and reads back as it is written.
func isLiteral(expression string) bool {
	tokens := sqltext.SQLite().Tokens(expression)
	signed := len(tokens) > 0 && (tokens[0].Is("+") || tokens[0].Is("-"))
	if signed {
		tokens = tokens[1:]
		if len(tokens) > 0 && tokens[0].Kind == sqltext.Space {
			tokens = tokens[1:]
		}
	}
	if len(tokens) != 1 {
		return false
	}
	switch t := tokens[0]; t.Kind {
	case sqltext.Number:
		return true
	case sqltext.String:
		return !signed
	case sqltext.Word:
		return !signed && isConstant(t)
	}
	return false
}

// isSteady reports whether a literal has the same value at all times.
func isSteady(expression string) bool {
	return isLiteral(expression) && !strings.HasPrefix(strings.ToUpper(expression), "CURRENT_")
}

// fold compares names as SQLite does: ASCII letters without case.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// sentence joins words as a comment lists them.
func sentence(words []string) string { return strings.Join(words, ", ") }
