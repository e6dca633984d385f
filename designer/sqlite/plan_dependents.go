package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// createTriggers makes the triggers of rebuilt tables again.
func (p *planner) createTriggers() error {
	text := map[string]string{}
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectTrigger {
			text[o.Name] = o.Definition
		}
	}
	var lost []*tablePlan
	for _, t := range p.tables {
		if t.rebuild() && len(t.From.Triggers) > 0 {
			lost = append(lost, t)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	for _, t := range lost {
		for _, name := range t.From.Triggers {
			if text[name] == "" {
				return &designer.PlanError{Table: t.tableNames()[0], Message: fmt.Sprintf(
					"the text of trigger %s is not known, and rebuilding the table would lose it: read the database again", name)}
			}
		}
	}
	p.rewritten(text)
	for _, t := range lost {
		for _, name := range t.From.Triggers {
			p.add(designer.Step{Statement: closed(text[name]), Comment: "Make trigger " + spoken(name) + " of " + spoken(t.To.Name) + " again",
				Reverse: "DROP TRIGGER " + ident(name), Tables: t.tableNames()})
		}
	}
	return nil
}

// rewritten gives the triggers the text that SQLite makes of them when it
// renames what they mention. It finds out by doing so in memory: only SQLite
// can tell which "name" in a trigger is the column of which table. Where it
// refuses it will refuse the plan's step too, and what the text is does not
// matter.
func (p *planner) rewritten(text map[string]string) {
	steps := p.Steps[:p.names]
	renaming := false
	for _, s := range steps {
		renaming = renaming || strings.HasPrefix(s.Statement, "ALTER TABLE")
	}
	if !renaming {
		return
	}
	after, err := rehearse(p.d.From, steps)
	if err != nil {
		return
	}
	for name := range text {
		if t, ok := after[name]; ok {
			text[name] = t
		}
	}
}

// rehearse runs steps that only drop and rename on the bare names of a schema
// and returns the triggers' texts afterwards.
func rehearse(s *designer.Schema, steps []designer.Step) (map[string]string, error) {
	ctx := context.Background()
	m, err := openMemory(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	for _, t := range s.Tables() {
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		if _, err := m.ExecContext(ctx, "CREATE TABLE "+ident(t.Name)+" "+idents(names)); err != nil {
			return nil, err
		}
	}
	for _, v := range s.Views() {
		_, _ = m.ExecContext(ctx, v.Definition) // a virtual table may need a module that is not here
	}
	for _, o := range s.Objects() {
		if _, err := m.ExecContext(ctx, o.Definition); err != nil {
			return nil, err
		}
	}
	for _, step := range steps {
		if strings.HasPrefix(step.Statement, "DROP INDEX") {
			continue
		}
		if _, err := m.ExecContext(ctx, step.Statement); err != nil {
			return nil, err
		}
	}
	texts := map[string]string{}
	err = each(ctx, m, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'", func(scan func(...any) error) error {
		var name, text string
		err := scan(&name, &text)
		texts[name] = text
		return err
	})
	return texts, err
}
