package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// dependent is something that a script makes, or a plan puts back: an object or a
// view.
type dependent struct {
	kind           designer.ObjectKind // "view": a view
	schema, name   string
	table          string // of a trigger and its like; of a partition: what it is one of
	values         []string
	definition     string
	extras, grants []string
	uses           []designer.Dependency
}

const kindView = designer.ObjectKind("view")

func dependentObject(o designer.Object) dependent {
	if o.Comment != "" {
		o.Extras = append(slices.Clone(o.Extras), "COMMENT ON "+addressed(o)+" IS "+literal(o.Comment))
	}
	return dependent{kind: o.Kind, schema: o.Schema, name: o.Name, table: o.Table, values: o.Values,
		definition: o.Definition, extras: o.Extras, grants: o.Grants, uses: o.Uses}
}

func dependentView(v designer.View) dependent {
	return dependent{kind: kindView, schema: v.Schema, name: v.Name, definition: v.Definition, extras: v.Extras, grants: v.Grants, uses: v.Uses}
}

// place identifies what a [designer.Dependency] can mean, and with the table what
// has its name from there.
type place struct {
	schema, name, table string
	kind                designer.ObjectKind // as in [designer.Dependency]
}

func (m dependent) place() place {
	if m.isPart() {
		return place{schema: m.schema, name: m.name, table: m.table}
	}
	return place{schema: m.schema, name: m.name, kind: useKind(m.kind)}
}

func usedPlace(u designer.Dependency) place {
	return place{schema: u.Schema, name: u.Name, kind: u.Kind}
}

// isPart reports whether it is part of a table or view and goes with it.
func (m dependent) isPart() bool {
	return m.kind == designer.ObjectTrigger || m.kind == designer.ObjectRule || m.kind == designer.ObjectPolicy
}

// isMaterialized reports whether a view is a materialized one.
func (m dependent) isMaterialized() bool {
	return m.kind == kindView && strings.HasPrefix(m.definition, "CREATE MATERIALIZED ")
}

// isForeign reports whether it is a foreign table, which is listed as a view.
func (m dependent) isForeign() bool {
	return m.kind == kindView && strings.HasPrefix(m.definition, "CREATE FOREIGN TABLE ")
}

// drop writes the statement that drops it.
func (m dependent) drop() string {
	switch {
	case m.isMaterialized():
		return "DROP MATERIALIZED VIEW " + qualified(m.schema, m.name)
	case m.isForeign():
		return "DROP FOREIGN TABLE " + qualified(m.schema, m.name)
	case m.kind == kindView:
		return "DROP VIEW " + qualified(m.schema, m.name)
	case m.kind == designer.ObjectComment:
		return "COMMENT ON " + m.name + " IS NULL"
	}
	return "DROP " + addressed(designer.Object{Kind: m.kind, Schema: m.schema, Name: m.name, Table: m.table, Values: m.values})
}

// label names it in a comment.
func (m dependent) label() string {
	text := string(m.kind) + " " + qualifiedPlain(m.schema, m.name)
	switch {
	case m.isPart():
		text = string(m.kind) + " " + m.name + " of " + qualifiedPlain(m.schema, m.table)
	case m.kind == designer.ObjectExtension:
		text = string(m.kind) + " " + m.name
	}
	return text
}

// qualifiedPlain names something for a reader.
func qualifiedPlain(schema, name string) string {
	if schema == "" {
		return name
	}
	return schema + "." + name
}

// ordered sorts a list so that what is used comes before what uses it, and
// otherwise keeps its order.
func ordered(list []dependent) []dependent {
	at := make(map[place]int, len(list))
	for i, m := range list {
		at[m.place()] = i
	}
	out := make([]dependent, 0, len(list))
	seen := make([]bool, len(list))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, u := range list[i].uses {
			if j, ok := at[usedPlace(u)]; ok {
				visit(j)
			}
		}
		if list[i].kind == designer.ObjectPartition {
			for j, other := range list {
				if other.kind == designer.ObjectPartition && other.name == list[i].table {
					visit(j)
				}
			}
		}
		out = append(out, list[i])
	}
	for i := range list {
		visit(i)
	}
	return out
}

// dependents returns those of list that use, through however many others, a
// place that start holds for.
func dependents(list []dependent, start func(designer.Dependency) bool) map[place]bool {
	users := map[place]bool{}
	for grew := true; grew; {
		grew = false
		for _, m := range list {
			if !users[m.place()] && slices.ContainsFunc(m.uses, func(u designer.Dependency) bool {
				return start(u) || users[usedPlace(u)]
			}) {
				users[m.place()], grew = true, true
			}
		}
	}
	return users
}

// tablesByName finds tables by exactly their names.
func tablesByName(s *designer.Schema) map[place]*designer.Table {
	tables := map[place]*designer.Table{}
	for _, t := range s.Tables() {
		tables[place{schema: t.Schema, name: t.Name}] = t
	}
	return tables
}
