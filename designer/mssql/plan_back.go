package mssql

import "github.com/berth-dev/berth/designer"

// putBack makes what was taken away and what is new: computed columns,
// defaults, keys, indexes, checks, and the triggers of a table made anew.
func (p *planner) putBack(w *work) {
	anew := w.rebuild != ""
	t := w.to.table
	for i := range t.Columns {
		c := &t.Columns[i]
		added := w.from.column(c.ID) == nil || w.columns[c.ID] == renewColumn
		if c.IsComputed && added && !anew {
			p.addColumn(w, c)
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.DefaultValue != "" && (w.addDefaults[c.ID] || anew) {
			p.addDefault(w.to, c)
		}
	}
	p.addIndexes(w, func(x *designer.Index) bool { return x.Options[OptionClustered] == "true" })
	if t.PrimaryKey != nil && (w.addKey || anew) {
		p.addPrimaryKey(w.to)
	}
	p.addIndexes(w, func(x *designer.Index) bool { return x.Options[OptionClustered] != "true" })
	for i := range t.Checks {
		if k := &t.Checks[i]; w.addChecks[k.ID] || anew {
			addCheck(&p.steps, w.to, k)
		}
	}
	if anew {
		p.addTriggers(w)
	}
}

// addIndexes makes those of a table's indexes and unique constraints that are
// to be made and pass. The clustered one comes before the primary key, which
// would take its place.
func (p *planner) addIndexes(w *work, pass func(*designer.Index) bool) {
	for _, x := range indexOrder(w.to.table.Indexes) {
		switch {
		case !pass(x) || !w.addIndexes[x.ID] && w.rebuild == "":
		case x.Constraint:
			p.addUnique(w.to, x)
		default:
			addIndex(&p.steps, w.to, x)
		}
	}
}

func (p *planner) addDefault(v *side, c *designer.Column) {
	r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
	p.add(designer.Step{Statement: addDefault(v, c), Comment: "Set the default of " + v.label() + "." + c.Name,
		Reverse: r.drop(v.on())}, v.table)
}

func (p *planner) addPrimaryKey(v *side) {
	k := v.primaryKey()
	r := constraintRef{kind: "primary key", name: k.Name, find: findPrimaryKey}
	risks := []designer.Risk{designer.RiskBlocksWrites, designer.RiskMayFail}
	if k.Options[OptionClustered] != "false" {
		risks = append(risks, designer.RiskRewritesTable)
	}
	p.add(designer.Step{Statement: "ALTER TABLE " + v.on() + " ADD " + primaryKeyText(k), Comment: "Add the primary key of " + v.label(),
		Reverse: r.drop(v.on()), Risks: risks}, v.table)
}

func (p *planner) addUnique(v *side, x *designer.Index) {
	d := v.index(x)
	r := constraintRef{kind: "unique constraint", name: x.Name, find: findUnique(d)}
	p.add(designer.Step{Statement: "ALTER TABLE " + v.on() + " ADD " + uniqueText(d), Comment: "Add " + r.label() + " to " + v.label(),
		Reverse: r.drop(v.on()), Risks: indexRisks(x)}, v.table)
}

// addTriggers makes the triggers that went with the old table.
func (p *planner) addTriggers(w *work) {
	to := w.to.table
	for _, o := range p.triggers(w.from.table) {
		table := objectName{to.Schema, to.Name}
		text := renameBatches(o.Definition, objectName{to.Schema, o.Name}, &table)
		p.addBatches(text, "Make trigger "+o.Name+" of "+w.to.label()+" again", "")
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
