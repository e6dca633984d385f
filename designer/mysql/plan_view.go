package mysql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// followViews makes views anew whose tables or columns get other names: the
// server would leave them as they are, and broken. The columns that they give
// keep their names.
func (p *planner) followViews() {
	for _, v := range p.d.From.Views() {
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
		p.step(s)
		p.noteAnew("View "+v.Name, v.Options)
	}
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
	for _, v := range p.d.From.Views() {
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
