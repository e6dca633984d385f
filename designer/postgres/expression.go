package postgres

import "github.com/berth-dev/berth/designer"

// renamed compares expressions of a table whose columns, or which itself, got
// other names: the server carries those on by itself.
type renamed struct {
	table, newTable string
	columns         map[string]string // new name by old, of those that differ
}

func renamedIn(from, to *designer.Table) renamed {
	r := renamed{table: from.Name, newTable: to.Name, columns: map[string]string{}}
	for _, c := range from.Columns {
		if n := columnByID(to, c.ID).Name; n != "" && n != c.Name {
			r.columns[c.Name] = n
		}
	}
	return r
}

// same tells whether b, in the names of afterwards, says what a says in those
// of before. Space, outer parentheses and the case of words do not count.
func (r renamed) same(a, b string) bool {
	x, y := significant(withoutOuter(a)), significant(withoutOuter(b))
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if want := r.after(x, i); want != "" {
			if y[i].name() != want {
				return false
			}
		} else if !sameToken(x[i], y[i]) {
			return false
		}
	}
	return true
}

// after returns the new name of what token i names, "" where it keeps its own.
func (r renamed) after(tokens []token, i int) string {
	switch {
	case isQualifier(tokens, i, r.table) && r.table != r.newTable:
		return r.newTable
	case isColumn(tokens, i, r.table):
		return r.columns[tokens[i].name()]
	}
	return ""
}

func sameToken(a, b token) bool {
	if a.name() != "" || b.name() != "" {
		return a.name() == b.name()
	}
	return a.kind == b.kind && a.text == b.text
}

func textAt(tokens []token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return lower(tokens[i].text)
}

// isQualifier tells whether token i is the table's name before a column's.
func isQualifier(tokens []token, i int, table string) bool {
	return textAt(tokens, i+1) == "." && tokens[i].name() == table
}

// isColumn tells whether token i can name a column: it is no function, no
// type, no collation and no key word.
func isColumn(tokens []token, i int, table string) bool {
	t := tokens[i]
	if t.kind != nameToken && (t.kind != wordToken || reserved[lower(t.text)]) {
		return false
	}
	if next := textAt(tokens, i+1); next == "." || next == "(" && t.kind == wordToken {
		return false
	}
	switch textAt(tokens, i-1) {
	case "::", "as", "collate":
		return false
	case ".":
		return i >= 2 && tokens[i-2].name() == table
	}
	return true
}

// mentions tells whether an expression of a table uses a column.
func mentions(expression, table, column string) bool {
	tokens := significant(expression)
	for i, t := range tokens {
		if t.name() == column && isColumn(tokens, i, table) {
			return true
		}
	}
	return false
}
