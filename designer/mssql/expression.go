package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// scan splits Transact-SQL.
func scan(text string) []sqltext.Token { return sqltext.TSQL().Tokens(text) }

// significant drops white space and comments.
func significant(list []sqltext.Token) []sqltext.Token { return sqltext.Significant(list) }

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
	for _, t := range scan(text) {
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
	tokens := significant(scan(expression))
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
		for _, t := range scan(text) {
			if t.Kind == sqltext.Word || t.Kind == sqltext.Quoted {
				all[designer.Fold(t.Name)] = true
			}
		}
	}
	return all
}
