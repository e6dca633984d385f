package sqlite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// views lists the views and the virtual tables, by name.
func (c *catalog) views() []designer.View {
	var list []designer.View
	for _, o := range c.objects {
		if (o.kind == "view" || o.kind == "table" && c.kinds[o.name].kind == "virtual") && !c.isInternal(o) {
			list = append(list, designer.View{Schema: DefaultSchema, Name: o.name, Definition: o.sql})
		}
	}
	slices.SortFunc(list, func(a, b designer.View) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// triggers lists the triggers, those of views included, by name. The text of
// one may spell its table's name in another case.
func (c *catalog) triggers() []designer.Object {
	spelled := map[string]string{}
	for _, o := range c.objects {
		if o.kind == "table" || o.kind == "view" {
			spelled[fold(o.name)] = o.name
		}
	}
	var list []designer.Object
	for _, o := range c.objects {
		if o.kind == "trigger" {
			list = append(list, designer.Object{Kind: designer.ObjectTrigger, Schema: DefaultSchema,
				Name: o.name, Table: spelled[fold(o.table)], Definition: o.sql})
		}
	}
	slices.SortFunc(list, func(a, b designer.Object) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// isInternal reports whether an object is SQLite's own, or the storage of a
// virtual table.
func (c *catalog) isInternal(o object) bool {
	return strings.HasPrefix(fold(o.name), "sqlite_") || c.kinds[o.name].kind == "shadow"
}
