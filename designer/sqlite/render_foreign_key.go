package sqlite

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

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
