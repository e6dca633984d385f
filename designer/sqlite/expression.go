package sqlite

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// renames describes how a table and its columns are called afterwards, for SQL
// text that SQLite rewrites by itself when it renames them.
type renames struct {
	oldTable, table string
	columns         map[string]string // new names by folded old ones
}

func renamesOf(d designer.TableDiff) renames {
	r := renames{oldTable: d.From.Name, table: d.To.Name, columns: map[string]string{}}
	for _, c := range d.Columns {
		if c.Renamed {
			r.columns[fold(c.From.Name)] = c.To.Name
		}
	}
	return r
}

// lead reports whether the text from, after the renames, says what to says. The
// quotes of names count only where nothing in the text is renamed: SQLite
// chooses them itself.
func (r renames) lead(from, to string) bool {
	a, b := sqltext.SQLite().Significant(from), sqltext.SQLite().Significant(to)
	renamed := false
	same := len(a) == len(b)
	for i, t := range a {
		name, changes := r.renamed(a, i)
		renamed = renamed || changes
		switch {
		case !same:
		case t.IsName() && b[i].IsName():
			same = fold(name) == fold(b[i].Name)
		default:
			same = t.Text == b[i].Text
		}
	}
	if !renamed {
		return from == to
	}
	return same
}

// renamed returns what token i is called afterwards. A table is a name before
// a point; a column is one elsewhere, unless it is bare and a function, a type
// or a collation.
func (r renames) renamed(tokens []sqltext.Token, i int) (name string, changes bool) {
	t := tokens[i]
	if !t.IsName() {
		return t.Text, false
	}
	before := func(text string) bool { return i+1 < len(tokens) && tokens[i+1].Is(text) }
	after := func(word string) bool { return i > 0 && tokens[i-1].Is(word) }
	switch {
	case before("."):
		if fold(t.Name) == fold(r.oldTable) && r.oldTable != r.table {
			return r.table, true
		}
	case t.Kind == sqltext.Word && (before("(") || after("AS") || after("COLLATE")):
	default:
		if to, ok := r.columns[fold(t.Name)]; ok {
			return to, true
		}
	}
	return t.Name, false
}

// mentions reports whether a name stands anywhere in SQL text, as whatever.
func mentions(text, name string) bool {
	for _, t := range sqltext.SQLite().Significant(text) {
		if t.IsName() && fold(t.Name) == fold(name) {
			return true
		}
	}
	return false
}

// qualifies reports whether a name stands before a point in SQL text.
func qualifies(text, name string) bool {
	tokens := sqltext.SQLite().Significant(text)
	for i := 1; i < len(tokens); i++ {
		if tokens[i].Is(".") && tokens[i-1].IsName() && fold(tokens[i-1].Name) == fold(name) {
			return true
		}
	}
	return false
}

// texts lists the SQL text in a table that may name its columns, or the table
// itself.
func texts(t *designer.Table) []string {
	var list []string
	for _, c := range t.Columns {
		list = append(list, c.ComputedFormula)
	}
	for _, k := range t.Checks {
		list = append(list, k.Expression)
	}
	for _, x := range t.Indexes {
		list = append(list, x.Where)
		for _, p := range x.Parts {
			list = append(list, p.Expression)
		}
	}
	return list
}
