package sqlite

import "github.com/berth-dev/berth/designer"

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
	return p.refuseOrphans()
}

func (p *planner) dropTables() {
	for _, t := range p.d.Dropped {
		p.add(designer.Step{Statement: "DROP TABLE " + ident(t.Name), Comment: "Drop table " + spoken(t.Name),
			Risks: []designer.Risk{designer.RiskDataLoss}, Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}})
	}
}
