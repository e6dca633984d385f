package sqlite

import (
	"github.com/berth-dev/berth/designer"
)

// Plan implements [engine.Engine]. What SQLite's ALTER TABLE does without loss
// it does in place; everything else is a rebuild, see rebuild.
//
// Renaming comes first and is SQLite's own, so that it carries the new names
// into views, triggers and other tables, and refuses where it cannot. A
// rebuild then finds every name as it stays, and the order of "rename" and
// "modify" cannot go wrong.
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) {
	p := newPlanner(d)
	if err := p.check(); err != nil {
		return designer.Plan{}, err
	}
	p.dropIndexes()
	p.dropTables()
	p.dropColumns()
	p.renameTables()
	p.renameColumns()
	p.names = len(p.Steps)
	p.addColumns()
	p.rebuildTables()
	for _, t := range d.Added {
		p.add(createTable(p.r, t))
	}
	p.createIndexes()
	if err := p.createTriggers(); err != nil {
		return designer.Plan{}, err
	}
	p.note(d.Added)
	for _, t := range p.tables {
		p.note([]*designer.Table{t.To})
	}
	return p.Plan, nil
}

// planner is one plan in the making.
type planner struct {
	*steps
	d      *designer.Diff
	r      renderer // of the state afterwards
	tables []*tablePlan
	fresh  freshNames
	names  int // how many steps there are when everything has its new name
}

func newPlanner(d *designer.Diff) *planner {
	p := &planner{steps: newPlan(), d: d, r: renderer{d.To}, fresh: freshNames{}}
	for _, td := range d.Changed {
		p.tables = append(p.tables, newTablePlan(td, p.r))
	}
	for _, s := range []*designer.Schema{d.From, d.To} {
		for _, t := range s.Tables() {
			p.fresh.take(t.Name)
			for _, x := range t.Indexes {
				p.fresh.take(x.Name)
			}
		}
		for _, v := range s.Views() {
			p.fresh.take(v.Name)
		}
	}
	return p
}

// check refuses what no plan can make.
func (p *planner) check() error {
	for _, t := range p.d.Added {
		if err := checkTable(t); err != nil {
			return err
		}
	}
	for _, t := range p.tables {
		if err := checkTable(t.To); err != nil {
			return err
		}
	}
	return nil
}

// dropIndexes drops indexes that go or change, those of tables to be rebuilt
// too: their names may be needed before that.
func (p *planner) dropIndexes() {
	for _, t := range p.tables {
		for _, d := range t.Indexes {
			if d.From == nil || d.From.Constraint || d.Changed() && t.sameIndex(d.From, d.To) {
				continue
			}
			p.add(designer.Step{Statement: "DROP INDEX " + ident(d.From.Name),
				Comment: "Drop index " + spoken(d.From.Name) + " on " + spoken(t.From.Name),
				Reverse: renderer{p.d.From}.index(t.From, *d.From), Tables: t.tableNames()})
		}
	}
}

func (p *planner) dropTables() {
	for _, t := range p.d.Dropped {
		p.add(designer.Step{Statement: "DROP TABLE " + ident(t.Name), Comment: "Drop table " + spoken(t.Name),
			Risks: []designer.Risk{designer.RiskDataLoss}, Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}})
	}
}

func (p *planner) dropColumns() {
	for _, t := range p.tables {
		for _, c := range t.dropped {
			if t.rebuild() {
				continue
			}
			p.add(designer.Step{Statement: "ALTER TABLE " + ident(t.From.Name) + " DROP COLUMN " + ident(c.Name),
				Comment: "Drop column " + spoken(c.Name) + " of " + spoken(t.From.Name),
				Risks:   []designer.Risk{designer.RiskDataLoss, designer.RiskRewritesTable}, Tables: t.tableNames()})
		}
	}
}

func (p *planner) addColumns() {
	for _, t := range p.tables {
		if t.rebuild() {
			continue
		}
		for _, a := range t.added {
			text := p.r.column(t.To, a.column)
			for _, k := range a.checks {
				text += " " + renderCheck(k)
			}
			for _, k := range a.keys {
				text += " " + named(k.Name) + p.r.references(k)
			}
			s := designer.Step{Statement: "ALTER TABLE " + ident(t.To.Name) + " ADD COLUMN " + text,
				Comment: "Add column " + spoken(a.column.Name) + " to " + spoken(t.To.Name),
				Reverse: "ALTER TABLE " + ident(t.To.Name) + " DROP COLUMN " + ident(a.column.Name), Tables: t.tableNames()}
			if len(a.checks)+len(a.keys) > 0 || !a.column.IsNullable {
				s.Risks = []designer.Risk{designer.RiskMayFail}
			}
			p.add(s)
		}
	}
}

// createIndexes makes the indexes that are new, have changed or went with
// their tables.
func (p *planner) createIndexes() {
	for _, t := range p.d.Added {
		p.createAll(t)
	}
	for _, t := range p.tables {
		for _, x := range t.To.Indexes {
			if !x.Constraint && (t.rebuild() || t.changes(x)) {
				p.createOne(t.To, x, t.tableNames())
			}
		}
	}
}

func (p *planner) createAll(t *designer.Table) {
	for _, x := range t.Indexes {
		if !x.Constraint {
			p.createOne(t, x, []designer.TableName{{Schema: t.Schema, Name: t.Name}})
		}
	}
}

func (p *planner) createOne(t *designer.Table, x designer.Index, tables []designer.TableName) {
	s := createIndex(p.r, t, x)
	s.Tables = tables
	s.Risks = []designer.Risk{designer.RiskBlocksWrites}
	if x.Unique {
		s.Risks = append(s.Risks, designer.RiskMayFail)
	}
	p.add(s)
}

// changes reports whether an index of the table afterwards is not there before.
func (t *tablePlan) changes(x designer.Index) bool {
	for _, d := range t.Indexes {
		if d.To != nil && d.To.ID == x.ID {
			return d.From == nil || !t.sameIndex(d.From, d.To)
		}
	}
	return false
}

func (t *tablePlan) tableNames() []designer.TableName {
	return []designer.TableName{{Schema: t.From.Schema, Name: t.From.Name}}
}
