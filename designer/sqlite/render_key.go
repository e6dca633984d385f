package sqlite

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// keyInline reports whether the primary key stands with its only column. There
// alone DESC keeps an INTEGER key from being the rowid, and AUTOINCREMENT is
// read by everyone.
func keyInline(t *designer.Table) bool {
	if t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 {
		return false
	}
	c := columnByID(t, t.PrimaryKey.Columns[0])
	return c != nil && c.Options[OptionKeyCollation] == ""
}

func inlineKey(t *designer.Table, c *designer.Column) string {
	if t.PrimaryKey == nil {
		return ""
	}
	text := named(t.PrimaryKey.Name) + "PRIMARY KEY"
	if c.Options[OptionKeyOrder] != "" {
		text += " DESC"
	}
	text += onConflict(t.PrimaryKey.Options)
	if c.IsIdentity {
		text += " AUTOINCREMENT"
	}
	return text
}

func keyColumns(t *designer.Table) string {
	keys := make([]string, 0, len(t.PrimaryKey.Columns))
	for _, id := range t.PrimaryKey.Columns {
		if c := columnByID(t, id); c != nil {
			keys = append(keys, renderKey(ident(c.Name), c.Options[OptionKeyCollation], c.Options[OptionKeyOrder] != ""))
		}
	}
	return strings.Join(keys, ", ")
}

// index is CREATE INDEX; x is no constraint.
func (r renderer) index(t *designer.Table, x designer.Index) string {
	text := "CREATE INDEX "
	if x.Unique {
		text = "CREATE UNIQUE INDEX "
	}
	text += ident(x.Name) + " ON " + ident(t.Name) + " (" + indexKeys(t, x) + ")"
	if x.Where != "" {
		text += " WHERE " + closed(x.Where)
	}
	return text
}

func indexKeys(t *designer.Table, x designer.Index) string {
	keys := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		text := p.Expression
		if c := columnByID(t, p.Column); c != nil {
			text = ident(c.Name)
		}
		keys[i] = renderKey(text, p.Collation, p.Descending)
	}
	return strings.Join(keys, ", ")
}

func renderKey(text, collation string, descending bool) string {
	if collation != "" {
		text += " COLLATE " + ident(collation)
	}
	if descending {
		text += " DESC"
	}
	return text
}

// references is REFERENCES with what follows it. A key that leads nowhere is
// written as the database had it.
func (r renderer) references(k designer.ForeignKey) string {
	table, columns := r.target(k)
	text := "REFERENCES " + ident(table)
	if !slices.Contains(columns, "") { // without columns: the primary key, should there be one
		text += " " + idents(columns)
	}
	text += actionClause("DELETE", k.OnDelete) + actionClause("UPDATE", k.OnUpdate)
	if match := k.Options[OptionMatch]; match != "" {
		text += " MATCH " + ident(match)
	}
	switch k.Deferrable {
	case designer.DeferrableInitNow:
		text += " DEFERRABLE INITIALLY IMMEDIATE"
	case designer.DeferrableInitEnd:
		text += " DEFERRABLE INITIALLY DEFERRED"
	}
	return text
}

// target returns the names of what a key refers to, a column a mapping.
func (r renderer) target(k designer.ForeignKey) (table string, columns []string) {
	columns = make([]string, len(k.Mappings))
	if k.Dangling != nil {
		copy(columns, k.Dangling.Columns)
		return k.Dangling.Table, columns
	}
	t := r.schema.ByID(k.RefTable)
	if t == nil {
		return "", columns
	}
	for i, m := range k.Mappings {
		if c := columnByID(t, m.RefColumn); c != nil {
			columns[i] = c.Name
		}
	}
	return t.Name, columns
}

func mappedColumns(t *designer.Table, k designer.ForeignKey) []string {
	names := make([]string, len(k.Mappings))
	for i, m := range k.Mappings {
		if c := columnByID(t, m.Column); c != nil {
			names[i] = c.Name
		}
	}
	return names
}

func actionClause(event string, a designer.Action) string {
	if a == designer.NoAction || a == "" {
		return ""
	}
	return " ON " + event + " " + strings.ToUpper(strings.ReplaceAll(string(a), "_", " "))
}
