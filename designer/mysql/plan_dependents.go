package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// followViews re-creates views whose tables or columns get other names: the
// server would leave them as they are, and broken. The columns that they give
// keep their names. A view comes after the views that it reads, which the
// server refuses while they are broken.
func (p *planner) followViews() {
	views := p.touchedViews()
	if len(views) > 1 {
		touched := views
		views = slices.DeleteFunc(inOrder(p.d.From.Views()), func(v designer.View) bool { // which may use each other through others
			return !slices.ContainsFunc(touched, func(t designer.View) bool { return t.Name == v.Name })
		})
	}
	for _, v := range views {
		text, now := p.viewAfter(v)
		if now == v.Definition {
			continue
		}
		replace := func(definition string) string {
			return "CREATE OR REPLACE " + strings.TrimPrefix(definedBy(definition, v.Options), "CREATE ")
		}
		s := designer.Step{Statement: replace(now), Comment: "Let view " + v.Name + " follow new names", Reverse: replace(v.Definition)}
		for _, t := range text.tables {
			s.Tables = append(s.Tables, designer.TableName{Schema: p.own, Name: t.name})
		}
		p.add(s)
		p.noteRecreated("View "+v.Name, v.Options)
	}
}

// touchedViews lists the views whose text may name a table that changes or
// goes. Few do, and the others need not be read.
func (p *planner) touchedViews() []designer.View {
	var names []string
	for _, t := range p.d.Dropped {
		names = append(names, t.Name)
	}
	for _, c := range p.d.Changed {
		names = append(names, c.From.Name)
	}
	var list []designer.View
	for _, v := range p.d.From.Views() {
		if text := sqltext.NewNameFilter(v.Definition); slices.ContainsFunc(names, text.MayContain) {
			list = append(list, v)
		}
	}
	return list
}

// viewAfter is a view's text, and its statement with the new names: the same
// as before where it needs none.
func (p *planner) viewAfter(v designer.View) (viewText, string) {
	text := readView(v.Definition, p.known)
	now := text.renamed(p.tableAfter, p.columnAfter)
	if now != v.Definition && !p.intact(text) {
		now = v.Definition
	}
	return text, now
}

// intact reports whether a view can be read before the plan. One that cannot
// is left alone.
func (p *planner) intact(text viewText) bool {
	for _, c := range text.columns {
		tables := text.tablesOf(c)
		for _, name := range tables {
			if t := p.tableBefore(name); t != nil && len(tables) == 1 && columnNamed(t, c.name) == nil {
				return false
			}
		}
	}
	return true
}

// refuseBrokenViews finds a view that could not be read any more.
func (p *planner) refuseBrokenViews() error {
	for _, v := range p.touchedViews() {
		text := readView(v.Definition, p.known)
		for _, t := range text.tables {
			if from := p.tableBefore(t.name); from != nil && p.to(from) == nil {
				return broken(from, "view %s reads it: change or drop the view first", v.Name)
			}
		}
		for _, c := range text.columns {
			for _, name := range text.tablesOf(c) {
				from := p.tableBefore(name)
				if from == nil || columnNamed(from, c.name) == nil {
					continue
				}
				if to := p.to(from); to != nil && columnNamed(to, p.columnAfter(name, c.name)) == nil {
					return broken(from, "view %s reads its column %s, which goes: change or drop the view first", v.Name, c.name)
				}
			}
		}
	}
	return nil
}

func broken(t *designer.Table, format string, args ...any) error {
	return &designer.PlanError{Table: tableName(t), Message: fmt.Sprintf(format, args...)}
}

// known reports whether a view may read a table or view of the name.
func (p *planner) known(name string) bool {
	if p.tableBefore(name) != nil {
		return true
	}
	for _, v := range p.d.From.Views() {
		if v.Name == name {
			return true
		}
	}
	return false
}

// tableBefore finds a table by the name it has before the plan.
func (p *planner) tableBefore(name string) *designer.Table {
	if p.before == nil {
		p.before = map[string]*designer.Table{}
		for _, t := range p.d.From.Tables() {
			p.before[t.Name] = t
		}
	}
	return p.before[name]
}

// to is what a table becomes; one that is dropped is replaced by a table that
// takes its name. nil: there is none.
func (p *planner) to(from *designer.Table) *designer.Table {
	if t := p.d.To.ByID(from.ID); t != nil {
		return t
	}
	for _, t := range p.d.To.Tables() {
		if t.Name == from.Name {
			return t
		}
	}
	return nil
}

// tableAfter is the name that a table has after the plan.
func (p *planner) tableAfter(name string) string {
	if from := p.tableBefore(name); from != nil {
		if to := p.to(from); to != nil {
			return to.Name
		}
	}
	return name
}

// columnAfter is the name that a column has after the plan. One that differs
// in case only is the same to the server.
func (p *planner) columnAfter(table, name string) string {
	from := p.tableBefore(table)
	if from == nil {
		return name
	}
	was, to := columnNamed(from, name), p.to(from)
	if was == nil || to == nil {
		return name
	}
	if c := columnByID(to, was.ID); c != nil && !strings.EqualFold(c.Name, name) {
		return c.Name
	}
	return name
}

func columnNamed(t *designer.Table, name string) *designer.Column {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return &t.Columns[i]
		}
	}
	return nil
}

// followTriggers re-creates triggers that name, behind NEW or OLD, a column
// that gets another name: the server would leave them as they are, and every
// write to the table would fail.
func (p *planner) followTriggers() {
	for _, c := range p.d.Changed {
		for _, o := range p.triggersOf(c.From) {
			now := p.triggerAfter(c, o)
			if now == o.Definition {
				continue
			}
			if c.Renamed { // the server has followed the table
				now = strings.Replace(now, " ON "+quoteName(c.From.Name)+" FOR EACH ROW ", " ON "+quoteName(c.To.Name)+" FOR EACH ROW ", 1)
			}
			p.replaceTrigger(c.From, o, p.inOrder(c.From, o, now))
		}
	}
}

// triggerAfter is a trigger's statement with the new names of columns.
func (p *planner) triggerAfter(c designer.TableDiff, o designer.Object) string {
	return rowColumns(o.Definition, func(name string) string { return p.columnAfter(c.From.Name, name) })
}

func (p *planner) triggersOf(t *designer.Table) []designer.Object {
	var out []designer.Object
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectTrigger && o.Table == t.Name {
			out = append(out, o)
		}
	}
	return out
}

// inOrder keeps the place of a trigger that is the first of several: the
// others say which one they follow.
func (p *planner) inOrder(t *designer.Table, o designer.Object, definition string) string {
	if follows(o) != "" {
		return definition
	}
	for _, next := range p.triggersOf(t) {
		if follows(next) == o.Name {
			return strings.Replace(definition, " FOR EACH ROW ", " FOR EACH ROW PRECEDES "+quoteName(next.Name)+" ", 1)
		}
	}
	return definition
}

// replaceTrigger adds the steps that drop a trigger and re-create it in its
// own sql_mode.
func (p *planner) replaceTrigger(t *designer.Table, o designer.Object, definition string) {
	mode := "DEFAULT"
	if m := o.Options[OptionSQLMode]; m != "" {
		mode = quoteString(m)
	}
	for _, s := range []designer.Step{
		{Statement: "DROP TRIGGER " + quoteName(o.Name), Comment: "Drop trigger " + o.Name + ", which names a column by its old name",
			Reverse: definedBy(o.Definition, o.Options), Made: triggerProbe(o.Name, false)},
		{Statement: "SET SESSION sql_mode = " + mode, Comment: "The sql_mode that trigger " + o.Name + " was written in"},
		{Statement: definedBy(definition, o.Options), Comment: "Make trigger " + o.Name + " with the new names",
			Reverse: "DROP TRIGGER " + quoteName(o.Name), Made: triggerProbe(o.Name, true)},
		{Statement: "SET SESSION sql_mode = '" + strictMode + "'", Comment: "The strict sql_mode again"},
	} {
		s.Tables = []designer.TableName{tableName(t)}
		p.add(s)
	}
	p.noteRecreated("Trigger "+o.Name, o.Options)
}

// refuseBrokenTriggers finds a trigger that would make every write to its
// table fail, because it names a column that goes.
func (p *planner) refuseBrokenTriggers() error {
	for _, c := range p.d.Changed {
		for _, o := range p.triggersOf(c.From) {
			lost := ""
			rowColumns(o.Definition, func(name string) string {
				if columnNamed(c.From, name) != nil && columnNamed(c.To, p.columnAfter(c.From.Name, name)) == nil {
					lost = name
				}
				return name
			})
			if lost != "" {
				return broken(c.From, "trigger %s uses its column %s, which goes: change or drop the trigger first", o.Name, lost)
			}
		}
	}
	return nil
}

// refusePartitionKeys finds a column that goes and by which its table is
// partitioned.
func (p *planner) refusePartitionKeys() error {
	for _, c := range p.d.Changed {
		key := c.From.Options[OptionPartitionBy]
		if key == "" || c.To.Options[OptionPartitionBy] != key {
			continue
		}
		names := partitionColumns(key)
		for _, col := range c.Columns {
			if col.Dropped() && names[designer.Fold(col.From.Name)] {
				return broken(c.From, "column %s is part of its partition key: keep it", col.From.Name)
			}
		}
	}
	return nil
}

// partitionColumns are the folded names by which a table is partitioned, out
// of the text after PARTITION BY: not those of its partitions.
func partitionColumns(text string) map[string]bool {
	names := map[string]bool{}
	depth, opened := 0, false
	for _, t := range sqltext.Significant(scan(text)) {
		switch {
		case opened && t.Is("PARTITION"):
			return names
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth > 0 && t.Name != "":
			names[designer.Fold(t.Name)] = true
		}
		opened = depth == 1 && t.Is("(")
	}
	return names
}
