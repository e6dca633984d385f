package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// noteBroken names the routines, events and bodies of triggers that may name
// what is called otherwise or gone after the plan: the server does not mind,
// and what names mean there is not known for sure. The steps that take the
// names away have the risk.
func (p *planner) noteBroken() {
	names := p.staleNames()
	if len(names) == 0 {
		return
	}
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectSequence || o.Kind == designer.ObjectRights || p.goesWithTable(o) {
			continue
		}
		text := sqltext.NewNameFilter(o.Definition)
		if !slices.ContainsFunc(names, func(l staleName) bool { return text.MayContain(l.table) }) {
			continue
		}
		m := sqltext.MySQL().Mentioned(bodyOf(o))
		for _, l := range names {
			if line := l.line(m); line > 0 {
				p.note(o, l, line)
			}
		}
	}
}

// noteRecreated says that a view or trigger is made again, and whose it stays.
func (p *planner) noteRecreated(what string, options map[string]string) {
	text := what + " is re-created with the new names"
	if definer := options[OptionDefiner]; definer != "" {
		text += ": its definer stays " + definer + ", whose rights on single tables and columns do not follow their names"
	}
	p.Notes = append(p.Notes, text+".")
}

// staleName is a name that means nothing any more after a plan.
type staleName struct {
	table  string
	column string // "": the table itself
	how    string
}

// line returns the line of a text on which it is named, 0 if it is not. A
// column counts where its table is named as well.
func (l staleName) line(m sqltext.Mentions) int {
	table := m.Line(l.table)
	if l.column == "" || table == 0 {
		return table
	}
	return m.Line(l.column)
}

// note says that an object names what is lost, and marks the step that takes
// the name away.
func (p *planner) note(o designer.Object, l staleName, line int) {
	name, kind := l.table, string(o.Kind)
	if l.column != "" {
		name += "." + l.column
	}
	p.Notes = append(p.Notes, fmt.Sprintf("%s %s names %s, which %s, on line %d of its statement: the server keeps it, check whether it has to be re-created.",
		strings.ToUpper(kind[:1])+kind[1:], o.Name, name, l.how, line))
	for i, s := range p.Steps {
		at := slices.ContainsFunc(s.Tables, func(t designer.TableName) bool { return t.Name == l.table })
		if at && strings.Contains(s.Statement, l.clause()) {
			if !slices.Contains(s.Risks, designer.RiskBreaks) {
				p.Steps[i].Risks = append(slices.Clip(s.Risks), designer.RiskBreaks)
			}
			return
		}
	}
}

// clause is what the statement that takes the name away has in it.
func (l staleName) clause() string {
	dropped := l.how == isDropped
	switch {
	case l.column == "" && dropped:
		return "DROP TABLE " + quoteName(l.table)
	case l.column == "":
		return quoteName(l.table) + " TO "
	case dropped:
		return "DROP COLUMN " + quoteName(l.column)
	}
	return "RENAME COLUMN " + quoteName(l.column) + " TO "
}

// What becomes of a name.
const (
	isDropped = "is dropped"
	isRenamed = "is renamed"
)

func (p *planner) staleNames() []staleName {
	var out []staleName
	for _, t := range p.d.Dropped {
		out = append(out, staleName{table: t.Name, how: isDropped})
	}
	for _, c := range p.d.Changed {
		if c.Renamed {
			out = append(out, staleName{table: c.From.Name, how: isRenamed})
		}
		for _, col := range c.Columns {
			switch {
			case col.Dropped():
				out = append(out, staleName{c.From.Name, col.From.Name, isDropped})
			case col.Changed() && col.Renamed && !strings.EqualFold(col.From.Name, col.To.Name):
				out = append(out, staleName{c.From.Name, col.From.Name, isRenamed})
			}
		}
	}
	return out
}

// goesWithTable reports whether a trigger is dropped with its table.
func (p *planner) goesWithTable(o designer.Object) bool {
	for _, t := range p.d.Dropped {
		if o.Kind == designer.ObjectTrigger && o.Table == t.Name {
			return true
		}
	}
	return false
}

// bodyOf is the text of an object, of a trigger what it does, without the
// columns of its own table, which are followed.
func bodyOf(o designer.Object) string {
	if o.Kind != designer.ObjectTrigger {
		return o.Definition
	}
	body := o.Definition
	if _, does, found := strings.Cut(body, " FOR EACH ROW "); found {
		body = does
	}
	return rowColumns(body, func(string) string { return "?" })
}
