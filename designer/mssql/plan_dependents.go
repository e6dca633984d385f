package mssql

import (
	"fmt"
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

func (m *module) isBoundView() bool { return m.kind == "view" && m.isBound() }

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

// refreshModules has the server read again the views and inline functions that
// use tables whose columns change, each after those that it uses: what a SELECT *
// brings was written down when the view was made. "sp_refreshview should be run
// when changes are made to the objects underlying the view, which affect the
// definition of the view. Otherwise, the view might produce unexpected results"
// (sp_refreshview; of functions: sp_refreshsqlmodule). A text that names what is
// gone cannot be read again, nor can what uses it: warnOfModules reports them.
func (p *planner) refreshModules() {
	type state int
	const (
		unseen state = iota
		stays
		refreshed
		broken
	)
	touched, seen := p.touched(), map[*module]state{}
	var visit func(m *module) state
	visit = func(m *module) state {
		if seen[m] != unseen {
			return seen[m]
		}
		seen[m] = stays // of what uses itself
		is := stays
		for _, tp := range p.tables {
			if m.usesTable(tp.from.table) && tp.changesColumns() {
				is = max(is, refreshed)
				if tp.breaks(m) {
					is = broken
				}
			}
		}
		for _, t := range p.d.Dropped {
			if m.usesTable(t) {
				is = broken
			}
		}
		for _, other := range touched {
			if other != m && m.usesModule(other) {
				is = max(is, visit(other))
			}
		}
		if is == refreshed && p.lacks(m) {
			is = broken
			p.note(fmt.Sprintf("%s %s.%s uses what is not in the database, and is not refreshed.", capital(m.kind), m.schema, m.name))
		}
		if seen[m] = is; is == refreshed && !m.isBound() {
			p.refresh(m)
		}
		return is
	}
	for _, m := range touched {
		visit(m)
	}
}

// touched lists the modules that are read, in their order, which use a table
// that changes or goes, directly or through others.
func (p *planner) touched() []*module {
	reached := map[*module]bool{}
	var reach func(m *module)
	reach = func(m *module) {
		reached[m] = true
		for i := range p.modules {
			if other := &p.modules[i]; !reached[other] && other.usesModule(m) && other.isRead() {
				reach(other)
			}
		}
	}
	for i := range p.modules {
		m := &p.modules[i]
		uses := slices.ContainsFunc(p.tables, func(tp *tablePlan) bool { return m.usesTable(tp.from.table) }) ||
			slices.ContainsFunc(p.d.Dropped, m.usesTable)
		if uses && !reached[m] && m.isRead() {
			reach(m)
		}
	}
	var list []*module
	for i := range p.modules {
		if reached[&p.modules[i]] {
			list = append(list, &p.modules[i])
		}
	}
	return list
}

func (p *planner) refresh(m *module) {
	call := "sp_refreshview @viewname = "
	if m.kind == "function" {
		call = "sp_refreshsqlmodule @name = "
	}
	statement := "EXEC sys." + call + literal(qualified(m.schema, m.name))
	p.add(designer.Step{Statement: statement, Comment: "Read " + m.kind + " " + m.schema + "." + m.name + " again, as what it uses has changed", Reverse: statement})
}

// isRead reports whether the server writes down the columns of a module: of
// views and of functions that are one query.
func (m *module) isRead() bool {
	if m.kind != "function" {
		return m.kind == "view"
	}
	tokens := significant(scan(m.text))
	for i := 2; i < len(tokens); i++ {
		if tokens[i].Is("TABLE") && tokens[i-1].Is("RETURNS") {
			return true
		}
	}
	return false
}

// usesTable reports whether the module uses the table of before, by the
// catalogue or, where that says nothing, by its text.
func (m *module) usesTable(t *designer.Table) bool { return m.usesNamed(t.Schema, t.Name) }

func (m *module) usesModule(other *module) bool { return m.usesNamed(other.schema, other.name) }

func (m *module) usesNamed(schema, name string) bool {
	if m.known == nil {
		return m.names(name)
	}
	return slices.ContainsFunc(m.known, func(u designer.Dependency) bool {
		return strings.EqualFold(u.Schema, schema) && strings.EqualFold(u.Name, name)
	})
}

// lacks reports whether the catalogue says that the module uses what the
// database has not.
func (p *planner) lacks(m *module) bool {
	for _, u := range m.known {
		there := strings.EqualFold(u.Schema, "sys") || strings.EqualFold(u.Schema, "INFORMATION_SCHEMA")
		for _, t := range p.d.From.Tables() {
			there = there || strings.EqualFold(t.Schema, u.Schema) && strings.EqualFold(t.Name, u.Name)
			there = there || strings.EqualFold(t.Options[OptionVersioning], qualified(u.Schema, u.Name))
		}
		for _, v := range p.d.From.Views() {
			there = there || strings.EqualFold(v.Schema, u.Schema) && strings.EqualFold(v.Name, u.Name)
		}
		for _, o := range p.d.From.Objects() {
			there = there || strings.EqualFold(o.Schema, u.Schema) && strings.EqualFold(o.Name, u.Name)
		}
		if !there {
			return true
		}
	}
	return false
}

// changesColumns reports whether the columns of a table are others afterwards,
// or in another order.
func (tp *tablePlan) changesColumns() bool {
	return tp.rebuild != "" || tp.diff.Renamed || tp.diff.Moved || slices.ContainsFunc(tp.diff.Columns, func(d designer.ColumnDiff) bool {
		return d.Added() || d.Dropped() || d.Renamed || tp.columns[d.From.ID] != keepColumn
	})
}

// breaks reports whether the module's text names what of the table is gone.
func (tp *tablePlan) breaks(m *module) bool {
	if tp.diff.Renamed || tp.diff.Moved {
		return true
	}
	return slices.ContainsFunc(tp.from.table.Columns, func(c designer.Column) bool {
		to := tp.to.column(c.ID)
		return (to == nil || to.Name != c.Name) && m.names(c.Name)
	})
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
	return slices.ContainsFunc(Batches(text), func(batch string) bool {
		tokens := significant(scan(batch))
		return len(tokens) > 1 && tokens[0].Is("DISABLE") && tokens[1].Is("TRIGGER")
	})
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
					p.planFor(from).foreignKeys.renew(k.ID)
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
			if k := &tp.from.table.ForeignKeys[i]; tp.foreignKeys.drop[k.ID] {
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
			if k := &tp.to.table.ForeignKeys[i]; tp.foreignKeys.add[k.ID] {
				addForeignKey(&p.steps, tp.to, k)
			}
		}
	}
	for _, t := range p.d.Added {
		addForeignKeys(&p.steps, p.d.To, t)
	}
}
