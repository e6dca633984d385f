package mssql

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Plan implements [engine.Engine]. It orders what leads from d.From to d.To.
// Its order:
//
//  1. schemas are made, and views that are bound to what changes are dropped
//  2. foreign keys, checks, indexes, keys and defaults that are dropped or
//     stand in the way go; so do computed columns
//  3. columns that ALTER COLUMN cannot convert are converted; columns and
//     tables go
//  4. tables, columns and constraints get their new names
//  5. tables that cannot be altered are made anew; columns are added and
//     altered
//  6. new tables are made
//  7. everything that went in 2 and stays comes back, then foreign keys,
//     triggers of tables made anew, bound views, and comments
//
// Until 4 everything has its old name, from there on its new one.
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) {
	p := &planner{d: d, byID: map[designer.ID]*work{}}
	p.before = func(t *designer.Table) *designer.Table {
		if f := d.From.ByID(t.ID); f != nil {
			return f
		}
		return t
	}
	if err := p.checkColumns(); err != nil {
		return designer.Plan{}, err
	}
	for i := range d.Changed {
		w := p.workOn(d.Changed[i].From)
		w.diff = d.Changed[i]
		if err := w.decide(); err != nil {
			return designer.Plan{}, err
		}
	}
	p.dependents()
	if len(p.works)+len(d.Dropped) > 0 {
		p.modules = modules(d.From)
	}
	if err := p.all(); err != nil {
		return designer.Plan{}, err
	}
	p.warn()
	return p.plan(), nil
}

// planner makes one plan.
type planner struct {
	steps
	d     *designer.Diff
	works []*work
	byID  map[designer.ID]*work
	// modules are the views and routines of before, read once: their texts
	// may be long.
	modules []module
}

// checkColumns refuses tables that would hold nothing, and in new ones what
// cannot be said of a computed column.
func (p *planner) checkColumns() error {
	for _, t := range p.d.Added {
		w := newWork(p.d, t, t)
		for i := range t.Columns {
			if err := w.checkComputed(nil, &t.Columns[i]); err != nil {
				return err
			}
		}
		if err := w.checkFormulas(true); err != nil {
			return err
		}
	}
	tables := slices.Clone(p.d.Added)
	for _, c := range p.d.Changed {
		tables = append(tables, c.To)
	}
	for _, t := range tables {
		if !holdsValues(t) {
			return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name},
				Message: "a table needs at least one column that is not computed; add one"}
		}
	}
	return nil
}

// holdsValues reports whether a table has a column that is not computed.
func holdsValues(t *designer.Table) bool {
	for _, c := range t.Columns {
		if !c.IsComputed {
			return true
		}
	}
	return false
}

// workOn returns the work on a table that is there before and after.
func (p *planner) workOn(from *designer.Table) *work {
	w := p.byID[from.ID]
	if w == nil {
		w = newWork(p.d, from, p.d.To.ByID(from.ID))
		p.byID[from.ID] = w
		p.works = append(p.works, w)
	}
	return w
}

// dependents marks the foreign keys of all tables that have to make way for
// the changes of the tables that they refer to.
func (p *planner) dependents() {
	for i := 0; i < len(p.works); i++ {
		w := p.works[i]
		for _, from := range p.d.From.Incoming(w.from.table.ID) {
			if p.d.To.ByID(from.ID) == nil {
				continue // its keys go with it
			}
			for j := range from.ForeignKeys {
				k := &from.ForeignKeys[j]
				if k.RefTable == w.from.table.ID && w.losesKey(k) {
					p.workOn(from).renewForeignKey(k.ID)
				}
			}
		}
	}
}

// all makes the steps in their order.
func (p *planner) all() error {
	for _, name := range p.d.Schemas {
		p.add(createSchema(name))
	}
	bound := p.boundViews()
	p.dropBound(bound)
	p.dropForeignKeys()
	for _, w := range p.inPlace() {
		p.takeAway(w)
	}
	for _, w := range p.inPlace() {
		p.convert(w)
		p.dropColumns(w)
	}
	p.dropTables()
	p.renameTables()
	for _, w := range p.inPlace() {
		p.renameColumns(w)
	}
	p.renameConstraints()
	for _, w := range p.works {
		if w.rebuild == "" {
			p.changeColumns(w)
		} else if err := p.makeAnew(w); err != nil {
			return err
		}
	}
	for _, t := range p.d.Added {
		p.addNew(t)
	}
	for _, w := range p.works {
		p.putBack(w)
	}
	p.addForeignKeys()
	p.makeBound(bound)
	for _, w := range p.works {
		p.comments(w)
	}
	for _, t := range p.d.Added {
		addComments(&p.steps, t)
	}
	return nil
}

// inPlace lists the tables that are altered rather than made anew.
func (p *planner) inPlace() []*work {
	var list []*work
	for _, w := range p.works {
		if w.rebuild == "" {
			list = append(list, w)
		}
	}
	return list
}

func (p *planner) addNew(t *designer.Table) {
	addTable(&p.steps, p.d.To, t)
	addKeys(&p.steps, p.d.To, t)
}

// dropForeignKeys drops those that change or stand in the way, and those
// between tables that are dropped.
func (p *planner) dropForeignKeys() {
	for _, w := range p.works {
		for i := range w.from.table.ForeignKeys {
			if k := &w.from.table.ForeignKeys[i]; w.dropForeignKeys[k.ID] {
				p.dropForeignKey(w.from, k)
			}
		}
	}
	for _, t := range p.d.Dropped {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if to := p.d.From.ByID(k.RefTable); to != nil && to.ID != t.ID && p.d.To.ByID(to.ID) == nil {
				p.dropForeignKey(newSide(p.d.From, t), k)
			}
		}
	}
}

func (p *planner) dropForeignKey(v *side, k *designer.ForeignKey) {
	d, ok := v.foreignKey(k)
	if !ok {
		return
	}
	r := constraintRef{kind: "foreign key", name: k.Name, find: findForeignKey(d)}
	p.dropConstraint(v, r, foreignKeyText(d), k.Options)
}

// dropConstraint drops what text would add.
func (p *planner) dropConstraint(v *side, r constraintRef, text string, o map[string]string) {
	p.add(designer.Step{Statement: r.drop(v.on()), Comment: "Drop " + r.label() + " of " + v.label(),
		Reverse: addConstraint(v.on(), text, o)}, v.table)
}

func (p *planner) addForeignKeys() {
	for _, w := range p.works {
		for i := range w.to.table.ForeignKeys {
			if k := &w.to.table.ForeignKeys[i]; w.addForeignKeys[k.ID] {
				addForeignKey(&p.steps, w.to, k)
			}
		}
	}
	for _, t := range p.d.Added {
		addForeignKeys(&p.steps, p.d.To, t)
	}
}

func (p *planner) dropTables() {
	for _, t := range p.d.Dropped {
		v := newSide(p.d.From, t)
		if t.Options[OptionVersioning] != "" {
			p.add(designer.Step{Statement: "ALTER TABLE " + v.on() + " SET (SYSTEM_VERSIONING = OFF)",
				Comment: "Stop keeping the history of " + v.label()}, t)
		}
		p.add(designer.Step{Statement: "DROP TABLE " + v.on(), Comment: "Drop table " + v.label(),
			Risks: []designer.Risk{designer.RiskDataLoss}}, t)
		if h := t.Options[OptionVersioning]; h != "" {
			p.add(designer.Step{Statement: "DROP TABLE " + h, Comment: "Drop the history of " + v.label(),
				Risks: []designer.Risk{designer.RiskDataLoss}}, t)
		}
	}
}

// comments writes the comments that differ, and those that went with a table
// or column that was made anew.
func (p *planner) comments(w *work) {
	t := w.to.table
	if w.rebuild != "" {
		addComments(&p.steps, t)
		return
	}
	if w.diff.Comment {
		p.setComment(t, "", w.from.table.Comment, t.Comment)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		was := ""
		if from := w.from.column(c.ID); from != nil && w.columns[c.ID] < convertColumn {
			was = from.Comment
		}
		if was != c.Comment {
			p.setComment(t, c.Name, was, c.Comment)
		}
	}
}

// warn notes what the plan does to what is not part of it.
func (p *planner) warn() {
	carried := p.carried()
	for _, w := range p.works {
		if w.rebuild != "" {
			p.note(fmt.Sprintf("Table %s is made anew, as %s. Permissions granted on it, statistics, full-text indexes and extended properties other than MS_Description go with the old one.", w.from.label(), w.rebuild))
		}
		if w.diff.Moved {
			p.note("Permissions granted on table " + w.from.label() + " itself go with its move to another schema.")
		}
		p.warnOfModules(w, carried)
	}
	for _, t := range p.d.Dropped {
		for _, m := range carried {
			if m.names(t.Name) {
				p.note(fmt.Sprintf("The text of %s %s.%s names table %s, which is dropped.", m.kind, m.schema, m.name, tableLabel(t)))
			}
		}
	}
}
