package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// quote writes a name as an identifier.
func quote(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }

// qualified writes an object's name with its schema.
func qualified(schema, name string) string {
	if schema == "" {
		schema = DefaultSchema
	}
	return quote(schema) + "." + quote(name)
}

// literal writes text as a Unicode string.
func literal(text string) string { return "N'" + strings.ReplaceAll(text, "'", "''") + "'" }

// unwrap takes off the parentheses that an expression stands in as a whole:
// SQL Server keeps ((0)) where 0 was written.
func unwrap(expression string) string {
	text := strings.TrimSpace(expression)
	for strings.HasPrefix(text, "(") && closesAtEnd(text) {
		inner := strings.TrimSpace(text[1 : len(text)-1])
		if inner == "" {
			break
		}
		text = inner
	}
	return text
}

// closesAtEnd reports whether the parenthesis that text begins with closes at
// its very end.
func closesAtEnd(text string) bool {
	depth, at := 0, 0
	for _, t := range lex(text) {
		at += len(t.Text)
		switch {
		case t.Kind == sqltext.Operator && t.Text == "(":
			depth++
		case t.Kind == sqltext.Operator && t.Text == ")":
			depth--
		}
		if depth == 0 {
			return at == len(text)
		}
	}
	return false
}

// mentions reports whether an expression uses a column of this name.
func mentions(expression, column string) bool {
	tokens := significant(lex(expression))
	for i, t := range tokens {
		if t.IsName() && strings.EqualFold(t.Name, column) {
			call := t.Kind == sqltext.Word && i+1 < len(tokens) && tokens[i+1].Is("(")
			if !call {
				return true
			}
		}
	}
	return false
}

// identifiers lists the folded names in SQL texts, whatever they are of.
func identifiers(texts ...string) map[string]bool {
	all := map[string]bool{}
	for _, text := range texts {
		for _, t := range lex(text) {
			if t.Kind == sqltext.Word || t.Kind == sqltext.Quoted {
				all[designer.Fold(t.Name)] = true
			}
		}
	}
	return all
}
