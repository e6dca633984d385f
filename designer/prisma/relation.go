package prisma

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// relations reads the fields of a model that are relations.
func (r *resolver) relations(m *model) {
	for i := range m.block.fields {
		f := &m.block.fields[i]
		to := r.models[f.typ]
		if to == nil {
			continue
		}
		a := find(f.attributes, "relation")
		if a == nil {
			a = &attribute{pos: f.pos}
		}
		if fields := a.named("fields"); fields != nil {
			r.foreignKey(m, to, f, a, listOf(fields))
			continue
		}
		if f.list {
			r.lists = append(r.lists, listField{of: m, to: to, relation: relationName(a), field: f})
		}
	}
}

func (a *attribute) named(name string) *value {
	for i := range a.arguments {
		if a.arguments[i].name == name {
			return &a.arguments[i].value
		}
	}
	return nil
}

// relationName returns the name of a relation, "" if it has none.
func relationName(a *attribute) string {
	if name := a.text("name"); name != "" {
		return name
	}
	for _, arg := range a.arguments {
		if arg.name == "" && arg.value.kind == text {
			return arg.value.text
		}
	}
	return ""
}

// foreignKey adds the foreign key of a relation.
func (r *resolver) foreignKey(m, to *model, f *field, a *attribute, fields []value) {
	references := listOf(a.named("references"))
	k := designer.ForeignKeyDefinition{Name: a.text("map"), ReferencedTable: designer.TableRef{Schema: to.table.Schema, Name: to.table.Name}}
	if len(fields) == 0 || len(references) != len(fields) {
		r.note(a.pos, "the relation %s.%s is left out: fields and references are lists of the same length", clip.Name(m.block.name), clip.Name(f.name))
		return
	}
	var columns []string
	for i := range fields {
		column, ok := m.columns[fields[i].text]
		referenced, also := to.columns[references[i].text]
		if !ok || !also {
			missing := m.block.name + "." + fields[i].text
			if ok {
				missing = to.block.name + "." + references[i].text
			}
			r.note(a.pos, "the relation %s.%s is left out: there is no column for %s", clip.Name(m.block.name), clip.Name(f.name), clip.Name(missing))
			return
		}
		columns = append(columns, column)
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: column, ReferencedColumn: referenced})
	}
	if k.Name == "" {
		k.Name = r.named(m, columns, "fkey")
	}
	nullable := slices.ContainsFunc(m.table.Columns, func(c designer.Column) bool { return c.IsNullable && slices.Contains(columns, c.Name) })
	ordinary := designer.Restrict
	if f.optional && nullable {
		ordinary = designer.SetNull
	}
	k.OnDelete, k.OnUpdate = r.action(a.text("onDelete"), ordinary), r.action(a.text("onUpdate"), designer.Cascade)
	m.table.ForeignKeys = append(m.table.ForeignKeys, k)
}

// actions are Prisma's words for what a foreign key does.
var actions = map[string]designer.Action{"Cascade": designer.Cascade, "Restrict": designer.Restrict, "NoAction": designer.NoAction,
	"SetNull": designer.SetNull, "SetDefault": designer.SetDefault}

// action reads one of them; SQL Server has no RESTRICT.
func (r *resolver) action(word string, ordinary designer.Action) designer.Action {
	action, known := actions[word]
	if !known {
		action = ordinary
	}
	if !slices.Contains(r.d.ForeignKeys.Actions, action) {
		return designer.NoAction
	}
	return action
}

// manyToMany adds the tables that Prisma makes of relations with a list at both
// ends and no columns of their own.
func (r *resolver) manyToMany() {
	done := map[string]bool{}
	for i, a := range r.lists {
		for _, b := range r.lists[i+1:] {
			if a.to != b.of || b.to != a.of || a.relation != b.relation {
				continue
			}
			first, second := a.of, b.of
			if strings.Compare(first.block.name, second.block.name) > 0 {
				first, second = second, first
			}
			name := a.relation
			if name == "" {
				name = first.block.name + "To" + second.block.name
			}
			if key := designer.Fold(name); !done[key] {
				done[key] = true
				r.joinTable("_"+name, first, second, a.field.pos)
			}
		}
	}
}

// joinTable adds the table of a relation of many to many, whose columns are
// called A and B.
func (r *resolver) joinTable(name string, first, second *model, pos int) {
	t := designer.TableDefinition{Schema: first.table.Schema, Name: name}
	m := &model{table: t}
	for i, side := range []*model{first, second} {
		k := side.table.PrimaryKey
		if k == nil || len(k.Columns) != 1 {
			r.note(pos, "the relation %s is left out: model %s has no @id of one field", clip.Name(strings.TrimPrefix(name, "_")), clip.Name(side.block.name))
			return
		}
		for _, c := range side.table.Columns {
			if c.Name != k.Columns[0] {
				continue
			}
			column := designer.Column{Name: string(rune('A' + i)), DataType: c.DataType, MaxLength: c.MaxLength, Precision: c.Precision, Scale: c.Scale}
			m.table.Columns = append(m.table.Columns, column)
			m.table.ForeignKeys = append(m.table.ForeignKeys, designer.ForeignKeyDefinition{Name: r.named(m, []string{column.Name}, "fkey"),
				ReferencedTable: designer.TableRef{Schema: side.table.Schema, Name: side.table.Name}, OnDelete: r.action("Cascade", ""), OnUpdate: r.action("Cascade", ""),
				Mappings: []designer.NameMapping{{Column: column.Name, ReferencedColumn: c.Name}}})
		}
	}
	r.index(m, designer.IndexDefinition{Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "A"}, {Column: "B"}}, Name: r.named(m, []string{"AB"}, "unique")}, "")
	r.index(m, designer.IndexDefinition{Parts: []designer.IndexKeyDefinition{{Column: "B"}}, Name: r.named(m, []string{"B"}, "index")}, "")
	r.loaded.Tables = append(r.loaded.Tables, m.table)
}
