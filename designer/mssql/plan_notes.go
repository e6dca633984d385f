package mssql

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// carried lists the views, routines and triggers of the database.
func (p *planner) carried() []module {
	list := slices.Clone(p.modules)
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectTrigger {
			list = append(list, newModule("trigger", o.Schema, o.Name, o.Definition))
		}
	}
	return list
}

// warnOfModules notes whose text names what gets another name, or binds what
// changes.
func (p *planner) warnOfModules(w *work, carried []module) {
	from, to := w.from.table, w.to.table
	var gone []string
	for _, c := range from.Columns {
		if next := w.to.column(c.ID); next == nil || next.Name != c.Name {
			gone = append(gone, c.Name)
		}
	}
	for _, m := range carried {
		if !m.names(from.Name) {
			continue
		}
		if m.kind != "view" && schemaBound(m.text) {
			p.note(fmt.Sprintf("%s %s.%s is bound to what it uses (SCHEMABINDING): where that is part of table %s the server refuses the change; drop it before and make it again after.", capital(m.kind), m.schema, m.name, w.from.label()))
			continue
		}
		if from.Name != to.Name || from.Schema != to.Schema {
			p.note(fmt.Sprintf("The text of %s %s.%s names table %s, which gets another name: change it.", m.kind, m.schema, m.name, w.from.label()))
		}
		for _, column := range gone {
			if m.names(column) {
				p.note(fmt.Sprintf("The text of %s %s.%s names column %s of table %s, which is renamed or dropped: change it.", m.kind, m.schema, m.name, column, w.from.label()))
			}
		}
	}
}

func capital(word string) string { return string(word[0]-'a'+'A') + word[1:] }
