package mssql

import (
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
//  5. tables that cannot be altered are re-created; columns are added and
//     altered
//  6. new tables are made
//  7. everything that went in 2 and stays comes back, then foreign keys,
//     triggers of tables re-created, bound views, and comments; views that are
//     not bound are read again by the server
//
// Until 4 everything has its old name, from there on its new one.
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) {
	p := &planner{d: d, byID: map[designer.ID]*tablePlan{}}
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
		tp := p.planFor(d.Changed[i].From)
		tp.diff = d.Changed[i]
		if err := tp.decide(); err != nil {
			return designer.Plan{}, err
		}
	}
	p.dependents()
	if len(p.tables)+len(d.Dropped) > 0 {
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
	d      *designer.Diff
	tables []*tablePlan
	byID   map[designer.ID]*tablePlan
	// modules are the views and routines of before, read once: their texts
	// may be long.
	modules []module
}

// checkColumns refuses tables that would hold nothing, and in new ones what
// cannot be said of a computed column.
func (p *planner) checkColumns() error {
	for _, t := range p.d.Dropped {
		if t.Options[OptionStorage] == "ledger" { // "Drop ledger tables": it is renamed and kept
			return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name},
				Message: "it is a ledger table, which the server keeps under another name where it is dropped; drop it by hand"}
		}
	}
	for _, t := range p.d.Added {
		tp := newTablePlan(p.d, t, t)
		for i := range t.Columns {
			if err := tp.checkComputed(nil, &t.Columns[i]); err != nil {
				return err
			}
		}
		if err := tp.checkFormulas(true); err != nil {
			return err
		}
	}
	tables := slices.Clone(p.d.Added)
	for _, c := range p.d.Changed {
		tables = append(tables, c.To)
	}
	for _, t := range tables {
		if err := p.checkAccepted(t); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if !holdsValues(t) {
			return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name},
				Message: "a table needs at least one column that is not computed; add one"}
		}
	}
	return nil
}

// checkAccepted refuses what the server would refuse of a table, unless it is
// said to be there already.
func (p *planner) checkAccepted(t *designer.Table) error {
	var before []string
	if from := p.d.From.ByID(t.ID); from != nil {
		_, before = accepted(from)
	}
	_, problems := accepted(t)
	for _, text := range problems {
		if !slices.Contains(before, text) {
			return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name}, Message: text + ", and the server refuses that"}
		}
	}
	return nil
}

// checkBound refuses to make a view again whose text names what has another name
// by then: it would not compile, or read another table.
func (p *planner) checkBound(bound []*module) error {
	for _, m := range bound {
		for _, tp := range p.tables {
			if m.usesTable(tp.from.table) && tp.breaks(m) {
				return tp.error("view " + m.schema + "." + m.name + " is bound to it (SCHEMABINDING) and names what gets another name or is dropped: drop the view, publish, and make it again as it is to be")
			}
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

// planFor returns the plan of a table that is there before and after.
func (p *planner) planFor(from *designer.Table) *tablePlan {
	tp := p.byID[from.ID]
	if tp == nil {
		tp = newTablePlan(p.d, from, p.d.To.ByID(from.ID))
		p.byID[from.ID] = tp
		p.tables = append(p.tables, tp)
	}
	return tp
}

// all makes the steps in their order.
func (p *planner) all() error {
	for _, name := range p.d.Schemas {
		p.add(createSchema(name))
	}
	bound := p.boundViews()
	if err := p.checkBound(bound); err != nil {
		return err
	}
	p.dropBound(bound)
	p.dropForeignKeys()
	for _, tp := range p.inPlace() {
		p.takeAway(tp)
	}
	for _, tp := range p.inPlace() {
		p.convert(tp)
		p.dropColumns(tp)
	}
	p.dropTables()
	p.renameTables()
	for _, tp := range p.inPlace() {
		p.renameColumns(tp)
	}
	p.renameConstraints()
	for _, tp := range p.tables {
		if tp.rebuild == "" {
			p.changeColumns(tp)
		} else if err := p.recreate(tp); err != nil {
			return err
		}
	}
	for _, t := range p.d.Added {
		p.addNew(t)
	}
	for _, tp := range p.tables {
		p.putBack(tp)
	}
	p.addForeignKeys()
	p.makeBound(bound)
	p.refreshModules()
	for _, tp := range p.tables {
		p.comments(tp)
	}
	for _, t := range p.d.Added {
		addComments(&p.steps, t)
	}
	return nil
}

// inPlace lists the tables that are altered rather than re-created.
func (p *planner) inPlace() []*tablePlan {
	var list []*tablePlan
	for _, tp := range p.tables {
		if tp.rebuild == "" {
			list = append(list, tp)
		}
	}
	return list
}

func (p *planner) addNew(t *designer.Table) {
	addTable(&p.steps, p.d.To, t)
	addKeys(&p.steps, p.d.To, t)
}

func (p *planner) dropTables() {
	for _, t := range p.d.Dropped {
		v := newTableState(p.d.From, t)
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
