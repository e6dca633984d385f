package mssql

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// boundViews lists the views that are bound to what changes, each after those
// it uses itself. The server changes nothing beneath them: they are dropped
// first and made again last, with their indexes and triggers.
func (p *planner) boundViews() []*module {
	all := p.modules
	var list []*module
	seen := map[*module]bool{}
	var visit func(m *module)
	visit = func(m *module) {
		if seen[m] {
			return
		}
		seen[m] = true
		for i := range all {
			if other := &all[i]; other.isBoundView() && m.names(other.name) {
				visit(other)
			}
		}
		list = append(list, m)
	}
	for i := range all {
		if m := &all[i]; m.isBoundView() && p.disturbs(m, all, map[*module]bool{}) {
			visit(m)
		}
	}
	return list
}

func (m *module) isBoundView() bool { return m.kind == "view" && schemaBound(m.text) }

// disturbs reports whether something that a bound view uses changes, directly
// or through another such view.
func (p *planner) disturbs(m *module, all []module, seen map[*module]bool) bool {
	seen[m] = true
	for _, w := range p.works {
		if m.names(w.from.table.Name) && w.disturbs(m) {
			return true
		}
	}
	for i := range all {
		if other := &all[i]; !seen[other] && other.isBoundView() && m.names(other.name) && p.disturbs(other, all, seen) {
			return true
		}
	}
	return false
}

// disturbs reports whether the table, or a column of it that the module may
// use, changes in a way that a bound module forbids.
func (w *work) disturbs(m *module) bool {
	if w.rebuild != "" || w.diff.Renamed || w.diff.Moved {
		return true
	}
	return slices.ContainsFunc(w.from.table.Columns, func(c designer.Column) bool {
		return m.names(c.Name) && (w.columns[c.ID] != keepColumn || w.renamed(c.ID))
	})
}

// dropBound drops bound views, those that use others first.
func (p *planner) dropBound(views []*module) {
	for _, m := range slices.Backward(views) {
		label := m.schema + "." + m.name
		p.keepRights(qualified(m.schema, m.name), label, "", nil)
		p.add(designer.Step{Statement: "DROP VIEW " + qualified(m.schema, m.name), Comment: "Drop view " + label + ", which is bound to what changes"})
		p.note("View " + label + " is bound to what changes (SCHEMABINDING): it is dropped and made again.")
	}
}

// makeBound makes them again, with their triggers.
func (p *planner) makeBound(views []*module) {
	for _, m := range views {
		p.addBatches(m.text, "Make view "+m.schema+"."+m.name+" again", "DROP VIEW "+qualified(m.schema, m.name))
		for _, o := range p.triggers(&designer.Table{Schema: m.schema, Name: m.name}) {
			p.addBatches(o.Definition, "Make trigger "+o.Name+" of "+m.schema+"."+m.name+" again", "")
		}
	}
}
