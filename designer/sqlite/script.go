package sqlite

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Script implements [engine.Engine].
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	p := newPlan()
	r := renderer{s}
	for _, t := range s.Tables() {
		if err := checkTable(t); err != nil {
			return designer.Plan{}, err
		}
		p.add(createTable(r, t))
	}
	for _, t := range s.Tables() {
		for _, x := range t.Indexes {
			if !x.Constraint {
				p.add(createIndex(r, t, x))
			}
		}
	}
	for _, v := range s.Views() {
		p.carried("view "+spoken(v.Name), v.Definition, "DROP VIEW "+ident(v.Name))
	}
	for _, o := range s.Objects() {
		if o.Kind == designer.ObjectTrigger {
			p.carried("trigger "+spoken(o.Name), o.Definition, "DROP TRIGGER "+ident(o.Name))
		}
	}
	p.note(s.Tables())
	return p.Plan, nil
}

// steps collects a plan.
type steps struct{ designer.Plan }

func newPlan() *steps {
	return &steps{designer.Plan{Dialect: "sqlite", Transactional: true, Separator: ";"}}
}

func (p *steps) add(s designer.Step) { p.Steps = append(p.Steps, s) }

// carried adds the making of something that is kept as text. Triggers have
// their table in their text.
func (p *steps) carried(what, text, reverse string) {
	if text == "" {
		p.Notes = append(p.Notes, fmt.Sprintf("The text of %s is not known: it is left out.", what))
		return
	}
	if isVirtual(text) {
		reverse = "DROP TABLE" + reverse[len("DROP VIEW"):]
	}
	p.add(designer.Step{Statement: closed(text), Comment: "Create " + what, Reverse: reverse})
}

// isVirtual reports whether a text carried among the views makes a virtual
// table.
func isVirtual(text string) bool {
	p := newParser(text)
	return p.at("CREATE", "VIRTUAL")
}

// note says what SQLite has no place for.
func (p *steps) note(tables []*designer.Table) {
	for _, t := range tables {
		comments := t.Comment != ""
		for _, c := range t.Columns {
			comments = comments || c.Comment != ""
		}
		if comments {
			p.Notes = append(p.Notes, fmt.Sprintf("SQLite keeps no comments: those of table %s stay in the design.", t.Name))
		}
	}
}

func createTable(r renderer, t *designer.Table) designer.Step {
	return designer.Step{Statement: r.table(t), Comment: "Create table " + spoken(t.Name),
		Reverse: "DROP TABLE " + ident(t.Name), Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}}
}

func createIndex(r renderer, t *designer.Table, x designer.Index) designer.Step {
	return designer.Step{Statement: r.index(t, x), Comment: "Create index " + spoken(x.Name) + " on " + spoken(t.Name),
		Reverse: "DROP INDEX " + ident(x.Name), Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}}
}

// checkTable refuses what no statement of SQLite's can make.
func checkTable(t *designer.Table) error {
	refuse := func(message string) error {
		return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name}, Message: message}
	}
	if fold(t.Schema) != DefaultSchema {
		return refuse("SQLite has the schema main only: move the table there")
	}
	if len(t.Columns) == 0 {
		return refuse("it has no columns: add one, or drop the table")
	}
	for _, c := range t.Columns {
		switch {
		case c.IsIdentity && (c.IdentitySeed != 1 || c.IdentityIncrement != 1):
			return refuse(fmt.Sprintf("column %s: SQLite numbers from 1 in steps of 1: leave seed and increment out", c.Name))
		case len(c.Values) > 0:
			return refuse(fmt.Sprintf("column %s: SQLite has no enumerated types: use TEXT with a check", c.Name))
		}
	}
	for _, x := range t.Indexes {
		if !plainIndex(x) {
			return refuse(fmt.Sprintf("index %s: SQLite has neither included columns nor methods, operator classes, lengths or places for nulls: leave them out", x.Name))
		}
	}
	return nil
}

// plainIndex reports whether an index asks for nothing that only other databases
// have.
func plainIndex(x designer.Index) bool {
	for _, p := range x.Parts {
		if p.Nulls != "" || p.OpClass != "" || p.Length != 0 {
			return false
		}
	}
	return len(x.Include) == 0 && x.Method == ""
}
