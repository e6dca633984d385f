package prisma

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// fieldKeys reads @id and @unique of a field.
func (r *resolver) fieldKeys(m *model, f *field, name string) {
	if a := find(f.attributes, "id"); a != nil {
		r.primaryKey(m, []string{name}, a)
	}
	if a := find(f.attributes, "unique"); a != nil {
		r.index(m, designer.IndexDefinition{Name: a.text("map"), Unique: true, Parts: []designer.IndexKeyDefinition{{Column: name}}}, "key")
	}
}

func (r *resolver) primaryKey(m *model, columns []string, a *attribute) {
	m.table.PrimaryKey = &designer.KeyDefinition{Name: a.text("map"), Columns: columns}
	if m.table.PrimaryKey.Name == "" && (r.d.Name == "postgres" || r.d.Name == "mssql") {
		m.table.PrimaryKey.Name = r.named(m, nil, "pkey")
	}
	for i := range m.table.Columns {
		if slices.Contains(columns, m.table.Columns[i].Name) {
			m.table.Columns[i].IsNullable = false
		}
	}
}

// named is the name that Prisma gives a key or an index of a table; "" if that
// is too long for the database, which then gets one of its own.
func (r *resolver) named(m *model, columns []string, suffix string) string {
	name := strings.Join(append(append([]string{m.table.Name}, columns...), suffix), "_")
	if most := r.d.Names.MaxLength; most > 0 && len(name) > most {
		return ""
	}
	return name
}

// index adds an index, which is named as Prisma does unless it has a name. A
// unique one of SQL Server is a constraint.
func (r *resolver) index(m *model, x designer.IndexDefinition, suffix string) {
	if x.Name == "" {
		var columns []string
		for _, p := range x.Parts {
			columns = append(columns, p.Column)
		}
		x.Name = r.named(m, columns, suffix)
	}
	x.Constraint = x.Unique && r.d.Name == "mssql"
	m.table.Indexes = append(m.table.Indexes, x)
}

// blockAttributes reads the lines of a model that begin with @@.
func (r *resolver) blockAttributes(m *model) {
	for i := range m.block.attributes {
		a := &m.block.attributes[i]
		switch a.name {
		case "map", "schema", "ignore":
		case "id", "unique", "index", "fulltext":
			r.blockKey(m, a)
		default:
			r.note(a.pos, "@@%s of model %s is left out", clip.Name(a.name), clip.Name(m.block.name))
		}
	}
}

// blockKey reads @@id, @@unique, @@index or @@fulltext.
func (r *resolver) blockKey(m *model, a *attribute) {
	x := designer.IndexDefinition{Name: a.text("map"), Unique: a.name == "unique"}
	fields := a.argument("fields", 0)
	for _, v := range listOf(fields) {
		p, ok := m.part(v)
		if !ok {
			r.note(a.pos, "@@%s of model %s is left out: it has no column for the field %s", a.name, clip.Name(m.block.name), clip.Name(v.text))
			return
		}
		x.Parts = append(x.Parts, p)
	}
	if len(x.Parts) == 0 {
		r.note(a.pos, "@@%s of model %s is left out: it names no field", a.name, clip.Name(m.block.name))
		return
	}
	switch a.name {
	case "id":
		var columns []string
		for _, p := range x.Parts {
			columns = append(columns, p.Column)
		}
		r.primaryKey(m, columns, a)
	case "unique":
		r.index(m, x, "key")
	case "fulltext":
		x.Method = "fulltext"
		r.index(m, x, "idx")
	default:
		switch method := strings.ToLower(a.text("type")); {
		case method == "" || method == "btree":
		case methods[r.d.Name][method] == "":
			r.note(a.pos, "@@index of model %s: the type %s is left out: %s has no such indexes", clip.Name(m.block.name), clip.Name(method), r.d.Title)
		default:
			x.Method = method
		}
		r.index(m, x, "idx")
	}
}

// listOf returns the values of a list, or the one that stands in its place.
func listOf(v *value) []value {
	switch {
	case v == nil:
		return nil
	case v.isList:
		return v.list
	}
	return []value{*v}
}

// part reads a field of a key or an index, with how it is sorted.
func (m *model) part(v value) (p designer.IndexKeyDefinition, ok bool) {
	p.Column, ok = m.columns[v.text]
	for _, a := range v.arguments {
		switch {
		case a.name == "sort":
			p.Descending = a.value.text == "Desc"
		case a.name == "length":
			p.Length, _ = strconv.Atoi(a.value.text) // 0 where it is no number
		case a.name == "ops" && a.value.isCall && len(a.value.arguments) > 0:
			p.OpClass = a.value.arguments[0].value.text
		}
	}
	return p, ok
}
