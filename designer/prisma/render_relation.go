package prisma

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// relate writes the two fields of each foreign key: the one that has the
// columns, and the one on the other side.
func (w *writer) relate() {
	pairs := map[[2]string]int{} // foreign keys between two models
	for _, m := range w.models {
		for _, k := range m.table.ForeignKeys {
			if to := w.modelOf(k.ReferencedTable); to != nil {
				pairs[pair(m, to)]++
			}
		}
	}
	for _, m := range w.models {
		for _, k := range m.table.ForeignKeys {
			to := w.modelOf(k.ReferencedTable)
			if to == nil || !w.isKey(to, k) {
				w.note("%s: foreign key %s is left out: it refers to no unique key of a table that is there", m.table.Name, k.Name)
				continue
			}
			w.relation(m, to, k, m == to || pairs[pair(m, to)] > 1)
		}
	}
}

func pair(a, b *written) [2]string {
	if a.name > b.name {
		a, b = b, a
	}
	return [2]string{a.name, b.name}
}

func (w *writer) modelOf(ref designer.TableRef) *written {
	schema := ref.Schema
	if schema == "" {
		schema = w.defaultSchema
	}
	for _, m := range w.models {
		if m.table.Schema == schema && m.table.Name == ref.Name {
			return m
		}
	}
	return nil
}

// isKey reports whether a foreign key refers to a key or unique columns.
func (w *writer) isKey(to *written, k designer.ForeignKeyDefinition) bool {
	var columns []string
	for _, m := range k.Mappings {
		if to.fields[m.ReferencedColumn] == "" {
			return false
		}
		columns = append(columns, m.ReferencedColumn)
	}
	if pk := to.table.PrimaryKey; pk != nil && sameSet(pk.Columns, columns) {
		return true
	}
	return w.isUnique(to, columns)
}

// isUnique reports whether columns are unique together.
func (w *writer) isUnique(m *written, columns []string) bool {
	return slices.ContainsFunc(m.table.Indexes, func(x designer.IndexDefinition) bool {
		var parts []string
		for _, p := range x.Parts {
			parts = append(parts, p.Column)
		}
		return x.Unique && w.plain(x) && sameSet(parts, columns)
	})
}

func sameSet(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// relation writes one foreign key.
func (w *writer) relation(m, to *written, k designer.ForeignKeyDefinition, named bool) {
	var columns, referenced []string
	optional := false
	for _, p := range k.Mappings {
		columns, referenced = append(columns, p.Column), append(referenced, p.ReferencedColumn)
		optional = optional || slices.ContainsFunc(m.table.Columns, func(c designer.Column) bool { return c.Name == p.Column && c.IsNullable })
	}
	var arguments []string
	label := ""
	if named {
		label = free(w.relations, identifier(m.table.Name+"_"+strings.Join(columns, "_")+"To"+to.table.Name))
		arguments = append(arguments, quote(label))
	}
	arguments = append(arguments, "fields: ["+w.fieldList(m, columns)+"]", "references: ["+w.fieldList(to, referenced)+"]")
	arguments = append(arguments, w.actionsOf(k, optional)...)
	switch usual := w.keyName(m, columns, "fkey"); {
	case k.Name == "" || k.Name == usual:
	case w.d.Name == "sqlite":
		w.note("%s: the name of foreign key %s is left out: on SQLite Prisma gives them their names", m.table.Name, k.Name)
	default:
		arguments = append(arguments, "map: "+quote(k.Name))
	}
	mark := ""
	if optional {
		mark = "?"
	}
	name := to.name
	if named {
		name += "_" + strings.Join(columns, "_")
	}
	own := m.free(identifier(lowerFirst(name))) + " " + to.name + mark + " @relation(" + strings.Join(arguments, ", ") + ")"
	if !w.identified(to) && w.identified(m) {
		own += " @ignore"
	}
	m.lines = append(m.lines, own)
	other, many := lowerFirst(m.name), "[]"
	if named {
		other += "_" + strings.Join(columns, "_")
	}
	if pk := m.table.PrimaryKey; w.isUnique(m, columns) || pk != nil && sameSet(pk.Columns, columns) {
		many = "?"
	}
	line := to.free(identifier(other)) + " " + m.name + many
	if named {
		line += " @relation(" + quote(label) + ")"
	}
	if !w.identified(m) && w.identified(to) {
		line += " @ignore"
	}
	to.lines = append(to.lines, line)
}

// actionsOf returns the actions of a foreign key that are not those that
// Prisma gives one without a word.
func (w *writer) actionsOf(k designer.ForeignKeyDefinition, optional bool) (list []string) {
	ordinary := designer.Restrict
	if optional {
		ordinary = designer.SetNull
	}
	if !slices.Contains(w.d.ForeignKeys.Actions, ordinary) {
		ordinary = designer.NoAction // SQL Server
	}
	word := func(a designer.Action) string {
		for name, action := range actions {
			if action == a {
				return name
			}
		}
		return "NoAction"
	}
	if k.OnDelete == "" {
		k.OnDelete = designer.NoAction
	}
	if k.OnUpdate == "" {
		k.OnUpdate = designer.NoAction
	}
	if k.OnDelete != ordinary {
		list = append(list, "onDelete: "+word(k.OnDelete))
	}
	if k.OnUpdate != designer.Cascade {
		list = append(list, "onUpdate: "+word(k.OnUpdate))
	}
	return list
}

func lowerFirst(name string) string {
	if name == "" || strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}
