package postgres

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Plan implements [engine.Engine]. It orders what brings a database that is as
// d.From says to d.To: see the package comment. The error is a
// [*designer.PlanError] where there is no way, or none that keeps what the
// database has and a design cannot say.
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) {
	types, err := d.PlanTypes()
	if err != nil {
		return designer.Plan{}, err
	}
	if types != nil {
		schemas := d.Schemas
		d = designer.DiffOf(types.Before, d.To)
		d.Schemas = schemas
	}
	p := &planner{d: d, types: types, from: newWriter(d.From), to: newWriter(d.To), tables: map[designer.ID]*tablePlan{},
		named: tablesByName(d.From)}
	p.steps.before = d.From
	if err := checkTypes(d); err != nil {
		return designer.Plan{}, err
	}
	if err := p.analyse(); err != nil {
		return designer.Plan{}, err
	}
	if err := p.refuseHeirs(); err != nil {
		return designer.Plan{}, err
	}
	if err := p.findDependents(); err != nil {
		return designer.Plan{}, err
	}
	list := p.carried()
	p.findBreaks(list)
	p.createSchemas()
	p.dropDependents()
	p.changeTypes()
	p.dropParts()
	p.alterColumns()
	p.putBack(p.soon)
	if err := p.rename(); err != nil {
		return designer.Plan{}, err
	}
	p.followRoutines(list)
	p.addParts()
	p.putBack(p.later)
	p.changeSettings()
	p.dropTypes()
	return p.plan(), nil
}

// planner makes a plan. What it does before the renames it says in the names
// of from, what it does after them in those of to.
type planner struct {
	steps
	d        *designer.Diff
	types    *designer.TypePlan // nil: no named type changes
	from, to *writer
	tables   map[designer.ID]*tablePlan   // by table; of those that change
	named    map[place]*designer.Table    // the tables of before
	order    []*tablePlan                 // the same, by the names of before
	gone     []dependent                  // what has to go while columns change, in the order in which it is made
	soon     []dependent                  // of gone, what is put back before the renames
	later    []dependent                  // of gone, what is put back at the end
	vanish   map[place]bool               // of gone, what goes with its column, table or view
	broken   map[designer.Dependency]bool // tables and columns whose old names some text has
	byParent map[string][]*designer.Table // heirs by the SQL name of the table they inherit from; nil: not asked yet
}

// errTable says that a table cannot be changed so.
func errTable(t *designer.Table, format string, args ...any) error {
	return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name}, Message: fmt.Sprintf(format, args...)}
}

// checkTypes refuses columns without a type, which another dialect's may be.
func checkTypes(d *designer.Diff) error {
	for _, t := range d.To.Tables() {
		if d.From.ByID(t.ID) == t {
			continue // it is as the database has it
		}
		for _, c := range t.Columns {
			if c.DataType == "" && c.TypeText == "" {
				return errTable(t, "column %s needs a data type", c.Name)
			}
		}
	}
	return nil
}

// analyse decides for every table which of its parts are dropped and added.
func (p *planner) analyse() error {
	for _, td := range p.d.Changed {
		tp := p.planFor(td.From, td.To)
		tp.TableDiff = td
		if err := p.checkCarried(tp); err != nil {
			return err
		}
		tp.findRebuilt()
		tp.comparePrimary()
		tp.compareIndexes()
		tp.compareChecks()
	}
	p.compareForeignKeys()
	p.order = p.order[:0]
	for _, t := range p.d.From.Tables() {
		if tp := p.tables[t.ID]; tp != nil {
			p.order = append(p.order, tp)
		}
	}
	return nil
}

// dropped reports whether the table is gone afterwards.
func (p *planner) dropped(t *designer.Table) bool { return p.d.To.ByID(t.ID) == nil }

func (p *planner) createSchemas() {
	for _, name := range p.d.Schemas {
		p.add(nil, "create schema "+name, "CREATE SCHEMA "+ident(name), "DROP SCHEMA "+ident(name))
	}
}
