package designer

import (
	"fmt"
	"strings"
)

// wording says what a part is to a person who chooses between two of them.
type wording struct {
	names  map[ID]string // of the table's columns, on both sides
	tables func(ID) *Table
}

// words are those of one table's parts. Where the sides call a column
// differently the design's name stands.
func (m *merger) words(o, t *Table) wording {
	names := columnNames(t)
	for id, name := range columnNames(o) {
		names[id] = name
	}
	return wording{names, func(id ID) *Table {
		if table := m.design.ByID(id); table != nil {
			return table
		}
		return m.database.ByID(id)
	}}
}

func (w wording) column(c Column) string {
	out := typeWords(c)
	if !c.IsNullable {
		out += " not null"
	}
	if c.DefaultValue != "" {
		out += " default " + c.DefaultValue
	}
	if c.IsIdentity {
		out += " identity"
	}
	if c.IsComputed {
		out += " as (" + c.ComputedFormula + ")"
	}
	return out
}

func (w wording) foreignKey(k ForeignKey) string {
	from := namesOf(w.names, mapEach(k.Mappings, func(m Mapping) ID { return m.Column }))
	out := "(" + strings.Join(from, ", ") + ")"
	if table := w.tables(k.RefTable); table != nil {
		to := namesOf(columnNames(table), mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn }))
		out += " to " + table.fullName() + " (" + strings.Join(to, ", ") + ")"
	}
	return fmt.Sprintf("%s, on delete %s, on update %s", out, k.OnDelete, k.OnUpdate)
}

func (w wording) index(x Index) string {
	parts := mapEach(x.Parts, func(p IndexKey) string {
		name := w.names[p.Column] + p.Expression // one of them
		if p.Descending {
			name += " desc"
		}
		return name
	})
	out := "(" + strings.Join(parts, ", ") + ")"
	if x.Unique {
		out = "unique " + out
	}
	if x.Where != "" {
		out += " where " + x.Where
	}
	return out
}

func (w wording) check(k Check) string { return k.Expression }
