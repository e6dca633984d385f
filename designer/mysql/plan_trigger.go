package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// followTriggers makes triggers anew that name, behind NEW or OLD, a column
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

// replaceTrigger adds the steps that drop a trigger and make it anew in its
// own sql_mode.
func (p *planner) replaceTrigger(t *designer.Table, o designer.Object, definition string) {
	b := &scripter{s: p.d.From, plan: newPlan()}
	b.step("DROP TRIGGER "+quoteName(o.Name), "Drop trigger "+o.Name+", which names a column by its old name", definedBy(o.Definition, o.Options))
	mode := "DEFAULT"
	if m := o.Options[OptionSQLMode]; m != "" {
		mode = quoteString(m)
	}
	b.step("SET SESSION sql_mode = "+mode, "The sql_mode that trigger "+o.Name+" was written in", "")
	b.step(definedBy(definition, o.Options), "Make trigger "+o.Name+" with the new names", "DROP TRIGGER "+quoteName(o.Name))
	b.step("SET SESSION sql_mode = '"+strictMode+"'", "The strict sql_mode again", "")
	b.plan.Steps[0].Made = triggerProbe(o.Name, false)
	b.plan.Steps[2].Made = triggerProbe(o.Name, true)
	for _, s := range b.plan.Steps {
		s.Risks, s.Tables = nil, []designer.TableName{tableName(t)}
		p.step(s)
	}
	p.noteAnew("Trigger "+o.Name, o.Options)
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

// rowColumns writes other names for the columns behind NEW and OLD.
func rowColumns(text string, name func(string) string) string {
	tokens := scan(text)
	var b strings.Builder
	for i, t := range tokens {
		behind := i >= 2 && tokens[i-1].Is(".") && (tokens[i-2].Is("NEW") || tokens[i-2].Is("OLD"))
		if to := t.Name; behind && to != "" && name(to) != to {
			b.WriteString(quoteName(name(to)))
			continue
		}
		b.WriteString(t.Text)
	}
	return b.String()
}
