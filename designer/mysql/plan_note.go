package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// noteBroken names the routines, events and bodies of triggers that may name
// what is called otherwise or gone after the plan: the server does not mind,
// and what names mean there is not known for sure.
func (p *planner) noteBroken() {
	names := p.lostNames()
	if len(names) == 0 {
		return
	}
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectSequence || o.Kind == designer.ObjectRights || p.goesWithTable(o) {
			continue
		}
		if l, is := reads(bodyOf(o), names); is {
			p.note(o, l)
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

// lostName is a name that means nothing any more after a plan.
type lostName struct {
	table  string
	column string // "": the table itself
	how    string
}

func (p *planner) note(o designer.Object, l lostName) {
	name, kind := l.table, string(o.Kind)
	if l.column != "" {
		name += "." + l.column
	}
	p.Notes = append(p.Notes,
		strings.ToUpper(kind[:1])+kind[1:]+" "+o.Name+" names "+name+", which "+l.how+": check whether it has to be re-created.")
}

func (p *planner) lostNames() []lostName {
	var out []lostName
	for _, t := range p.d.Dropped {
		out = append(out, lostName{table: t.Name, how: "is dropped"})
	}
	for _, c := range p.d.Changed {
		if c.Renamed {
			out = append(out, lostName{table: c.From.Name, how: "is renamed"})
		}
		for _, col := range c.Columns {
			switch {
			case col.Dropped():
				out = append(out, lostName{c.From.Name, col.From.Name, "is dropped"})
			case col.Changed() && col.Renamed && !strings.EqualFold(col.From.Name, col.To.Name):
				out = append(out, lostName{c.From.Name, col.From.Name, "is renamed"})
			}
		}
	}
	return out
}

// reads reports whether SQL text names what is lost. A column counts where its
// table is named as well.
func reads(text string, names []lostName) (lostName, bool) {
	in := map[string]bool{}
	for _, t := range scan(text) {
		if n := t.Name; n != "" {
			in[designer.Fold(n)] = true
		}
	}
	for _, l := range names {
		if in[designer.Fold(l.table)] && (l.column == "" || in[designer.Fold(l.column)]) {
			return l, true
		}
	}
	return lostName{}, false
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
