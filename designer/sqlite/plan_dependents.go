package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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
	m, lost, err := bare(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	if lost != nil {
		return nil, lost
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

// bare makes the tables of a schema in memory, with no more than their names,
// and its views and triggers. lost is the error of the first object that could
// not be made.
func bare(ctx context.Context, s *designer.Schema) (m *memory, lost, err error) {
	if m, err = openMemory(ctx); err != nil {
		return nil, nil, err
	}
	for _, t := range s.Tables() {
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		if _, err := m.ExecContext(ctx, "CREATE TABLE "+ident(t.Name)+" "+idents(names)); err != nil {
			return nil, nil, errors.Join(err, m.Close())
		}
	}
	for _, v := range s.Views() {
		_, _ = m.ExecContext(ctx, v.Definition) // a virtual table may need a module that is not here
	}
	for _, o := range s.Objects() {
		if _, err := m.ExecContext(ctx, o.Definition); err != nil && lost == nil {
			lost = err
		}
	}
	return m, lost, nil
}

// refuseOrphans refuses to drop what a view or a trigger still uses. SQLite
// says which do, as in rehearse. What another table or column takes the name of
// is left to the trial.
func (p *planner) refuseOrphans() error {
	drops := p.drops()
	if len(drops) == 0 || len(p.d.From.Views())+len(p.d.From.Objects()) == 0 {
		return nil
	}
	ctx := context.Background()
	m, _, err := bare(ctx, p.d.From)
	if err != nil {
		return nil // the trial says what is wrong
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	broken, err := newCheck(designer.Plan{}).compile(ctx, m.Conn)
	if err != nil {
		return nil
	}
	for _, d := range drops {
		if why := d.orphans(ctx, m.Conn, broken); why != "" {
			return &designer.PlanError{Table: d.table, Message: d.what + " is used: " + why + ": drop or change that first"}
		}
	}
	return nil
}

// drop is a table or column that goes and whose name nothing takes.
type drop struct {
	table           designer.TableName
	what, statement string
}

func (p *planner) drops() []drop {
	var list []drop
	taken := map[string]bool{}
	for _, t := range p.d.To.Tables() {
		taken[fold(t.Name)] = true
	}
	for _, t := range p.d.Dropped {
		if !taken[fold(t.Name)] {
			list = append(list, drop{designer.TableName{Schema: t.Schema, Name: t.Name}, "it", "DROP TABLE " + ident(t.Name)})
		}
	}
	for _, td := range p.d.Changed {
		for _, c := range td.Columns {
			if c.Dropped() && !slices.ContainsFunc(td.To.Columns, func(o designer.Column) bool { return fold(o.Name) == fold(c.From.Name) }) {
				list = append(list, drop{designer.TableName{Schema: td.From.Schema, Name: td.From.Name}, "column " + c.From.Name,
					"ALTER TABLE " + ident(td.From.Name) + " DROP COLUMN " + ident(c.From.Name)})
			}
		}
	}
	return list
}

// orphans says what would not compile without what d drops and does now.
func (d drop) orphans(ctx context.Context, conn *sql.Conn, broken map[string]error) string {
	defer func() { _, _ = conn.ExecContext(ctx, "ROLLBACK") }() // to the next one
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return ""
	}
	if _, err := conn.ExecContext(ctx, d.statement); err != nil {
		if _, why, ok := strings.Cut(err.Error(), "error in "); ok && strings.Contains(why, " after drop column: ") {
			return why
		}
		return "" // of what was broken before
	}
	now, err := newCheck(designer.Plan{}).compile(ctx, conn)
	if err != nil {
		return ""
	}
	for _, name := range sortedKeys(now) {
		if broken[name] == nil {
			return now[name].Error()
		}
	}
	return ""
}
