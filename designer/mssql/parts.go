package mssql

import "github.com/berth-dev/berth/designer"

// side is one state of a table, whose parts it writes by their names.
type side struct {
	schema *designer.Schema
	table  *designer.Table
	names  map[designer.ID]string // of columns
}

func newSide(s *designer.Schema, t *designer.Table) *side {
	v := &side{schema: s, table: t, names: make(map[designer.ID]string, len(t.Columns))}
	for _, c := range t.Columns {
		v.names[c.ID] = c.Name
	}
	return v
}

// on is the table's quoted name.
func (v *side) on() string { return qualified(v.table.Schema, v.table.Name) }

// label names the table in a comment.
func (v *side) label() string { return tableLabel(v.table) }

func tableLabel(t *designer.Table) string { return t.Schema + "." + t.Name }

func (v *side) column(id designer.ID) *designer.Column {
	for i := range v.table.Columns {
		if v.table.Columns[i].ID == id {
			return &v.table.Columns[i]
		}
	}
	return nil
}

func (v *side) columns(ids []designer.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = v.names[id]
	}
	return out
}

func (v *side) primaryKey() designer.KeyDefinition {
	k := v.table.PrimaryKey
	var indexes []designer.IndexDefinition
	for i := range v.table.Indexes {
		indexes = append(indexes, v.index(&v.table.Indexes[i]))
	}
	return beside(designer.KeyDefinition{Name: k.Name, Columns: v.columns(k.Columns), Options: k.Options}, indexes)
}

func (v *side) index(x *designer.Index) designer.IndexDefinition {
	d := designer.IndexDefinition{Name: x.Name, Unique: x.Unique, Constraint: x.Constraint, Where: x.Where,
		Include: v.columns(x.Include), Method: x.Method, Options: x.Options}
	for _, p := range x.Parts {
		d.Parts = append(d.Parts, designer.IndexKeyDefinition{Column: v.names[p.Column], Descending: p.Descending})
	}
	return d
}

func (v *side) check(k *designer.Check) designer.CheckDefinition {
	return designer.CheckDefinition{Name: k.Name, Expression: k.Expression, Options: k.Options}
}

// foreignKey writes k with the names of the table it refers to; ok is false
// where that does not exist.
func (v *side) foreignKey(k *designer.ForeignKey) (d designer.ForeignKeyDefinition, ok bool) {
	target := v.schema.ByID(k.RefTable)
	if target == nil {
		return d, false
	}
	to := newSide(v.schema, target)
	d = designer.ForeignKeyDefinition{Name: k.Name, OnDelete: k.OnDelete, OnUpdate: k.OnUpdate, Options: k.Options,
		ReferencedTable: designer.TableRef{Schema: target.Schema, Name: target.Name}}
	for _, m := range k.Mappings {
		d.Mappings = append(d.Mappings, designer.NameMapping{Column: v.names[m.Column], ReferencedColumn: to.names[m.RefColumn]})
	}
	return d, true
}
