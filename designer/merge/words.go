package merge

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// wording says what a part is to a person who chooses between two of them.
type wording struct {
	names  map[designer.ID]string // of the table's columns, on both sides
	tables func(designer.ID) *designer.Table
}

// words are those of one table's parts. Where the sides call a column
// differently the design's name stands.
func (m *merger) words(o, t *designer.Table) wording {
	names := t.ColumnNames()
	for id, name := range o.ColumnNames() {
		names[id] = name
	}
	return wording{names, func(id designer.ID) *designer.Table {
		if table := m.design.ByID(id); table != nil {
			return table
		}
		return m.database.ByID(id)
	}}
}

func (w wording) column(c designer.Column) string {
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

func (w wording) foreignKey(k designer.ForeignKey) string {
	from := inOrder(w.names, each(k.Mappings, func(m designer.Mapping) designer.ID { return m.Column }))
	out := "(" + strings.Join(from, ", ") + ")"
	if table := w.tables(k.RefTable); table != nil {
		to := inOrder(table.ColumnNames(), each(k.Mappings, func(m designer.Mapping) designer.ID { return m.RefColumn }))
		out += " to " + table.TableName().String() + " (" + strings.Join(to, ", ") + ")"
	}
	return fmt.Sprintf("%s, on delete %s, on update %s", out, k.OnDelete, k.OnUpdate)
}

func (w wording) index(x designer.Index) string {
	parts := each(x.Parts, func(p designer.IndexKey) string {
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

func (w wording) check(k designer.Check) string { return k.Expression }

// each returns what f makes of each of a list.
func each[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// inOrder returns the names of ids.
func inOrder(names map[designer.ID]string, ids []designer.ID) []string {
	return each(ids, func(id designer.ID) string { return names[id] })
}
