package mysql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Plan implements [engine.Engine]. It orders what leads from one state to
// another:
//
//  1. foreign keys that go, that change, or that stand in the way of a change
//  2. dropped tables
//  3. new names of tables, in one statement
//  4. for each changed table, new names of columns, then one ALTER TABLE with
//     all else: the server makes it as a whole, so that keys, identity columns
//     and indexes that foreign keys need can change places in it
//  5. new tables
//  6. foreign keys that come and are not among 4, or come back
//  7. triggers and views that name something by its old name
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) {
	p := &planner{d: d, steps: newSteps(), own: d.From.DefaultSchema(), inAlter: map[designer.ID]bool{}}
	if err := p.refuse(); err != nil {
		return designer.Plan{}, err
	}
	p.findKeys()
	p.dropKeys()
	p.dropTables()
	p.renameTables()
	for _, t := range d.Changed {
		if err := p.alterTable(t); err != nil {
			return designer.Plan{}, err
		}
	}
	p.addTables()
	p.addKeys()
	p.followTriggers()
	p.followViews()
	p.noteBroken()
	p.noteRights()
	return p.Plan, nil
}

// planner collects the steps of a plan.
type planner struct {
	steps
	d     *designer.Diff
	own   string // the schema that needs no name
	temps int    // temporary names given

	before         map[string]*designer.Table // by name, made when it is asked for
	dropped, added []keyStep
	inAlter        map[designer.ID]bool // foreign keys that were added with what else changes of their table
}

// refuse finds what this dialect has no way to.
func (p *planner) refuse() error {
	none := func(t *designer.Table, format string, args ...any) error {
		return &designer.PlanError{Table: tableName(t), Message: fmt.Sprintf(format, args...)}
	}
	for _, t := range p.d.Added {
		if len(t.Columns) == 0 {
			return noColumns(t)
		}
		if designer.Fold(t.Schema) != designer.Fold(p.own) {
			return none(t, "a schema is a database here, and a design is of one: put the table into %s", p.own)
		}
	}
	for _, c := range p.d.Changed {
		if len(c.To.Columns) == 0 {
			return noColumns(c.To)
		}
		if c.Moved {
			return none(c.From, "a table cannot move to schema %s: a schema is a database here, and a design is of one", c.To.Schema)
		}
		if c.From.Options[OptionCollation] != "" && c.To.Options[OptionCollation] == "" {
			return none(c.From, "the collation of a table cannot be left out again: give the database's")
		}
		for _, k := range c.ForeignKeys {
			if engine := c.To.Options[OptionEngine]; k.Added() && engine != "" {
				return none(c.From, "foreign key %s cannot be added: the engine %s keeps none", k.To.Name, engine)
			}
		}
	}
	if err := p.refuseBrokenViews(); err != nil {
		return err
	}
	if err := p.refuseBrokenTriggers(); err != nil {
		return err
	}
	if err := p.refusePartitionKeys(); err != nil {
		return err
	}
	return p.refuseDefiners()
}

func tableName(t *designer.Table) designer.TableName {
	return designer.TableName{Schema: t.Schema, Name: t.Name}
}

// dropTables drops those that refer to others first. Foreign keys between
// them that form a ring are gone by then.
func (p *planner) dropTables() {
	started := map[designer.ID]bool{}
	dropped := map[designer.ID]*designer.Table{}
	for _, t := range p.d.Dropped {
		dropped[t.ID] = t
	}
	var drop func(t *designer.Table)
	drop = func(t *designer.Table) {
		if started[t.ID] {
			return
		}
		started[t.ID] = true
		for _, from := range p.d.From.Incoming(t.ID) {
			if dropped[from.ID] != nil {
				drop(from)
			}
		}
		def := p.d.From.DefineTable(t)
		p.add(designer.Step{
			Statement: "DROP TABLE " + quoteName(t.Name), Comment: "Drop table " + t.Name,
			Reverse: createTable(def, p.own, func(k designer.ForeignKeyDefinition) bool { return !p.isDropped(t, k.Name) }),
			Risks:   []designer.Risk{designer.RiskDataLoss}, Tables: []designer.TableName{tableName(t)}, Made: tableProbe(t.Name, false),
		})
	}
	for _, t := range p.d.Dropped {
		drop(t)
	}
}

// addTables makes what a new table refers to before it, as far as there is an
// order; its other foreign keys come later.
func (p *planner) addTables() {
	started, made := map[designer.ID]bool{}, map[designer.ID]bool{}
	fresh := map[designer.ID]*designer.Table{}
	for _, t := range p.d.Added {
		fresh[t.ID] = t
	}
	var add func(t *designer.Table)
	add = func(t *designer.Table) {
		if started[t.ID] {
			return
		}
		started[t.ID] = true
		for _, k := range t.ForeignKeys {
			if target := fresh[k.RefTable]; target != nil {
				add(target)
			}
		}
		made[t.ID] = true
		tables, later := []designer.TableName{tableName(t)}, map[string]bool{}
		for i, k := range t.ForeignKeys {
			if target := p.d.To.ByID(k.RefTable); target != nil && fresh[k.RefTable] == nil {
				tables = append(tables, p.namedBefore(target)...)
			}
			if fresh[k.RefTable] != nil && !made[k.RefTable] {
				later[designer.Fold(k.Name)] = true
				p.added = append(p.added, keyStep{table: t, key: &t.ForeignKeys[i]})
			}
		}
		p.add(designer.Step{
			Statement: createTable(p.d.To.DefineTable(t), p.own,
				func(k designer.ForeignKeyDefinition) bool { return !later[designer.Fold(k.Name)] }),
			Comment: "Create table " + t.Name, Reverse: "DROP TABLE " + quoteName(t.Name),
			Tables: tables, Made: tableProbe(t.Name, true),
		})
		for _, x := range t.Indexes {
			p.Notes = append(p.Notes, shortened(t, x)...)
		}
	}
	for _, t := range p.d.Added {
		add(t)
	}
}

// alter is an ALTER TABLE of these clauses.
func alter(table string, clauses []string) string {
	if len(clauses) == 1 {
		return "ALTER TABLE " + quoteName(table) + " " + clauses[0]
	}
	return "ALTER TABLE " + quoteName(table) + "\n  " + strings.Join(clauses, ",\n  ")
}
