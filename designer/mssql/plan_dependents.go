package mssql

import (
	"slices"
	"strings"

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
	for _, tp := range p.tables {
		if m.names(tp.from.table.Name) && tp.disturbs(m) {
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
func (tp *tablePlan) disturbs(m *module) bool {
	if tp.rebuild != "" || tp.diff.Renamed || tp.diff.Moved {
		return true
	}
	return slices.ContainsFunc(tp.from.table.Columns, func(c designer.Column) bool {
		return m.names(c.Name) && (tp.columns[c.ID] != keepColumn || tp.renamed(c.ID))
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

// switchTriggers switches those triggers of a table that are in force.
func (p *planner) switchTriggers(tp *tablePlan, verb, back string) {
	for _, o := range p.triggers(tp.from.table) {
		if disables(o.Definition) {
			continue
		}
		what := " TRIGGER " + qualified(o.Schema, o.Name) + " ON " + tp.from.on()
		p.add(designer.Step{Statement: verb + what, Comment: verb[:1] + strings.ToLower(verb[1:]) + " trigger " + o.Name + " of " + tp.from.label(),
			Reverse: back + what}, tp.from.table)
	}
}

// disables reports whether a trigger's text leaves it disabled.
func disables(text string) bool {
	batches := Batches(text)
	if len(batches) == 0 {
		return false
	}
	tokens := significant(scan(batches[len(batches)-1]))
	return len(tokens) > 1 && tokens[0].Is("DISABLE") && tokens[1].Is("TRIGGER")
}

// addTriggers makes the triggers that went with the old table.
func (p *planner) addTriggers(tp *tablePlan) {
	to := tp.to.table
	for _, o := range p.triggers(tp.from.table) {
		table := objectName{to.Schema, to.Name}
		text := renameBatches(o.Definition, objectName{to.Schema, o.Name}, &table)
		p.addBatches(text, "Make trigger "+o.Name+" of "+tp.to.label()+" again", "")
	}
}

// triggers lists the triggers of a table of before.
func (p *planner) triggers(t *designer.Table) []designer.Object {
	var list []designer.Object
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectTrigger && o.Schema == t.Schema && o.Table == t.Name {
			list = append(list, o)
		}
	}
	return list
}

// dependents marks the foreign keys of all tables that have to make way for
// the changes of the tables that they refer to.
func (p *planner) dependents() {
	for i := 0; i < len(p.tables); i++ {
		tp := p.tables[i]
		for _, from := range p.d.From.Incoming(tp.from.table.ID) {
			if p.d.To.ByID(from.ID) == nil {
				continue // its keys go with it
			}
			for j := range from.ForeignKeys {
				k := &from.ForeignKeys[j]
				if k.RefTable == tp.from.table.ID && tp.losesKey(k) {
					p.planFor(from).renewForeignKey(k.ID)
				}
			}
		}
	}
}

// dropForeignKeys drops those that change or stand in the way, and those
// between tables that are dropped.
func (p *planner) dropForeignKeys() {
	for _, tp := range p.tables {
		for i := range tp.from.table.ForeignKeys {
			if k := &tp.from.table.ForeignKeys[i]; tp.dropForeignKeys[k.ID] {
				p.dropForeignKey(tp.from, k)
			}
		}
	}
	for _, t := range p.d.Dropped {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if to := p.d.From.ByID(k.RefTable); to != nil && to.ID != t.ID && p.d.To.ByID(to.ID) == nil {
				p.dropForeignKey(newTableState(p.d.From, t), k)
			}
		}
	}
}

func (p *planner) dropForeignKey(v *tableState, k *designer.ForeignKey) {
	d, ok := v.foreignKey(k)
	if !ok {
		return
	}
	r := constraintRef{kind: "foreign key", name: k.Name, find: findForeignKey(d)}
	p.dropConstraint(v, r, foreignKeyText(d), k.Options)
}

func (p *planner) addForeignKeys() {
	for _, tp := range p.tables {
		for i := range tp.to.table.ForeignKeys {
			if k := &tp.to.table.ForeignKeys[i]; tp.addForeignKeys[k.ID] {
				addForeignKey(&p.steps, tp.to, k)
			}
		}
	}
	for _, t := range p.d.Added {
		addForeignKeys(&p.steps, p.d.To, t)
	}
}
