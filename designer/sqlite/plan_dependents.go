package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
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
	after, err := rehearse(p.surroundings(), steps)
	if err != nil {
		return
	}
	for name := range text {
		if t, ok := after[name]; ok {
			text[name] = t
		}
	}
}

// relatedObjects are the tables, views and triggers that what changes or goes may
// be named by, with all that those name themselves. The rest of a schema has no
// part in it, and may be much.
type relatedObjects struct {
	tables   []*designer.Table
	views    []designer.View
	triggers []designer.Object
}

func (p *planner) surroundings() (s relatedObjects) {
	names := map[string]bool{}
	for _, t := range p.d.Dropped {
		names[t.Name] = true
	}
	for _, td := range p.d.Changed {
		names[td.From.Name] = true
	}
	texts := textsOf(p.d.From)
	for again := true; again; { // a text names what changes, or a view or table whose text does
		again = false
		for _, x := range texts {
			if !x.in && x.mayNameAny(names) {
				x.in, again = true, true
				if x.of != "" {
					names[x.of] = true
				}
			}
		}
	}
	for again := true; again; { // and what such texts name has to be there
		again = false
		for _, x := range texts {
			if x.view != nil && !x.in && slices.ContainsFunc(texts, func(y *dependentText) bool { return y.in && y.MayContain(x.of) }) {
				x.in, again = true, true
			}
		}
	}
	for _, x := range texts {
		switch {
		case x.in && x.view != nil:
			s.views = append(s.views, *x.view)
		case x.in:
			s.triggers = append(s.triggers, *x.trigger)
		}
	}
	for _, t := range p.d.From.Tables() {
		if names[t.Name] || slices.ContainsFunc(texts, func(x *dependentText) bool { return x.in && x.MayContain(t.Name) }) {
			s.tables = append(s.tables, t)
		}
	}
	return s
}

// dependentText is the text of a view or of a trigger.
type dependentText struct {
	sqltext.NameFilter
	view    *designer.View
	trigger *designer.Object
	of      string // the view, or the trigger's table: what writes to it runs the trigger
	in      bool   // belongs to the surroundings
}

func textsOf(s *designer.Schema) (list []*dependentText) {
	for _, v := range s.Views() {
		list = append(list, &dependentText{NameFilter: sqltext.NewNameFilter(v.Definition), view: &v, of: v.Name})
	}
	for _, o := range s.Objects() {
		list = append(list, &dependentText{NameFilter: sqltext.NewNameFilter(o.Definition), trigger: &o, of: o.Table})
	}
	return list
}

func (x *dependentText) mayNameAny(names map[string]bool) bool {
	for name := range names {
		if x.MayContain(name) {
			return true
		}
	}
	return false
}

// rehearse runs steps that only drop and rename on the bare names of a schema
// and returns the triggers' texts afterwards.
func rehearse(s relatedObjects, steps []designer.Step) (map[string]string, error) {
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
func bare(ctx context.Context, s relatedObjects) (m *memory, lost, err error) {
	if m, err = openMemory(ctx); err != nil {
		return nil, nil, err
	}
	for _, t := range s.tables {
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		if _, err := m.ExecContext(ctx, "CREATE TABLE "+ident(t.Name)+" "+idents(names)); err != nil {
			return nil, nil, errors.Join(err, m.Close())
		}
	}
	for _, v := range s.views {
		_, _ = m.ExecContext(ctx, v.Definition) // a virtual table may need a module that is not here
	}
	for _, o := range s.triggers {
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
	if len(drops) == 0 {
		return nil
	}
	s := p.surroundings()
	if len(s.views)+len(s.triggers) == 0 {
		return nil
	}
	ctx := context.Background()
	m, _, err := bare(ctx, s)
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
