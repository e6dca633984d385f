package postgres

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// scan takes SQL text apart.
func scan(text string) []sqltext.Token { return sqltext.PostgreSQL().Tokens(text) }

// significant returns the tokens of text that are neither space nor comment.
func significant(text string) []sqltext.Token { return sqltext.PostgreSQL().Significant(text) }

// lower folds a bare identifier as the server does: ASCII letters only.
func lower(word string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, word)
}

// renames are the new names of a table and its columns, which the server writes
// into expressions by itself.
type renames struct {
	table, newTable string
	columns         map[string]string // new name by old, of those that differ
}

func renamesOf(from, to *designer.Table) renames {
	r := renames{table: from.Name, newTable: to.Name, columns: map[string]string{}}
	for _, c := range from.Columns {
		if n := columnByID(to, c.ID).Name; n != "" && n != c.Name {
			r.columns[c.Name] = n
		}
	}
	return r
}

// same reports whether b, in the names of afterwards, says what a says in those
// of before. Space, outer parentheses and the case of words do not count.
func (r renames) same(a, b string) bool {
	x, y := significant(withoutOuter(a)), significant(withoutOuter(b))
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if want := r.after(x, i); want != "" {
			if y[i].Name != want {
				return false
			}
		} else if !sameToken(x[i], y[i]) {
			return false
		}
	}
	return true
}

// after returns the new name of what token i names, "" where it keeps its own.
func (r renames) after(tokens []sqltext.Token, i int) string {
	switch {
	case isQualifier(tokens, i, r.table) && r.table != r.newTable:
		return r.newTable
	case isColumn(tokens, i, r.table):
		return r.columns[tokens[i].Name]
	}
	return ""
}

func sameToken(a, b sqltext.Token) bool {
	if a.Name != "" || b.Name != "" {
		return a.Name == b.Name
	}
	return a.Kind == b.Kind && a.Text == b.Text
}

func textAt(tokens []sqltext.Token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return lower(tokens[i].Text)
}

// isQualifier reports whether token i is the table's name before a column's.
func isQualifier(tokens []sqltext.Token, i int, table string) bool {
	return textAt(tokens, i+1) == "." && tokens[i].Name == table
}

// isColumn reports whether token i can name a column: it is no function, no
// type, no collation and no key word.
func isColumn(tokens []sqltext.Token, i int, table string) bool {
	t := tokens[i]
	if t.Kind != sqltext.Quoted && (t.Kind != sqltext.Word || reserved[lower(t.Text)]) {
		return false
	}
	if next := textAt(tokens, i+1); next == "." || next == "(" && t.Kind == sqltext.Word {
		return false
	}
	switch textAt(tokens, i-1) {
	case "::", "as", "collate":
		return false
	case ".":
		return i >= 2 && tokens[i-2].Name == table
	}
	return true
}

// mentions reports whether an expression of a table uses a column.
func mentions(expression, table, column string) bool {
	tokens := significant(expression)
	for i, t := range tokens {
		if t.Name == column && isColumn(tokens, i, table) {
			return true
		}
	}
	return false
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

// closesAtEnd reports whether the parenthesis that text begins with closes at
// its very end.
func closesAtEnd(text string) bool {
	depth := 0
	for _, t := range scan(text) {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth == 0 {
			return t.End() == len(text)
		}
	}
	return false
}

// rowColumns writes the new names of columns behind NEW and OLD in the body of
// a trigger function.
func (r renames) rowColumns(body string) string {
	var b strings.Builder
	var before [2]sqltext.Token // that say something, the nearest last
	for _, t := range scan(body) {
		row := before[1].Is(".") && (before[0].Name == "new" || before[0].Name == "old")
		if name := r.columns[t.Name]; row && t.Name != "" && name != "" {
			b.WriteString(ident(name))
		} else {
			b.WriteString(t.Text)
		}
		if t.Kind != sqltext.Space && t.Kind != sqltext.Comment {
			before = [2]sqltext.Token{before[1], t}
		}
	}
	return b.String()
}
