package sqlite

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

func (p *planner) renameTables() {
	var renames []designer.Rename
	before := map[string]*tablePlan{}
	for _, t := range p.tables {
		if t.Renamed {
			renames = append(renames, designer.Rename{From: t.From.Name, To: t.To.Name})
			before[t.From.Name] = t
		}
	}
	space := designer.Namespace{Fold: fold, Taken: p.tablesLeft(), CaseDetour: true, Temporary: p.fresh.like}
	for _, m := range space.Sequence(renames) {
		s := designer.Step{Statement: "ALTER TABLE " + ident(m.From) + " RENAME TO " + ident(m.To),
			Comment: "Rename table " + spoken(m.From) + " to " + spoken(m.To),
			Reverse: "ALTER TABLE " + ident(m.To) + " RENAME TO " + ident(m.From)}
		if t := before[m.From]; t != nil {
			s.Tables = t.tableNames()
			before[m.To] = t
		}
		p.add(s)
	}
}

// tablesLeft lists the tables there are once those to be dropped are gone.
func (p *planner) tablesLeft() []string {
	gone := map[designer.ID]bool{}
	for _, t := range p.d.Dropped {
		gone[t.ID] = true
	}
	var names []string
	for _, t := range p.d.From.Tables() {
		if !gone[t.ID] {
			names = append(names, t.Name)
		}
	}
	return names
}

func (p *planner) renameColumns() {
	for _, t := range p.tables {
		var renames []designer.Rename
		fresh := freshNames{}
		var left []string
		for _, c := range t.From.Columns {
			fresh.take(c.Name)
			if t.rebuild() || columnByID(t.To, c.ID) != nil {
				left = append(left, c.Name)
			}
		}
		for _, c := range t.To.Columns {
			fresh.take(c.Name)
		}
		for _, c := range t.Columns {
			if c.Renamed {
				renames = append(renames, designer.Rename{From: c.From.Name, To: c.To.Name})
			}
		}
		alter := "ALTER TABLE " + ident(t.To.Name) + " RENAME COLUMN "
		space := designer.Namespace{Fold: fold, Taken: left, Temporary: fresh.like}
		for _, m := range space.Sequence(renames) {
			p.add(designer.Step{Statement: alter + ident(m.From) + " TO " + ident(m.To),
				Comment: "Rename column " + spoken(m.From) + " of " + spoken(t.To.Name) + " to " + spoken(m.To),
				Reverse: alter + ident(m.To) + " TO " + ident(m.From), Tables: t.tableNames()})
		}
	}
}

// freshNames makes names that are in no use before or after the plan.
type freshNames map[string]bool

func (f freshNames) take(names ...string) {
	for _, n := range names {
		f[fold(n)] = true
	}
}

// like returns a new name that reminds of another.
func (f freshNames) like(name string) string {
	for i := 1; ; i++ {
		fresh := fmt.Sprintf("berth_%d_%s", i, name)
		if !f[fold(fresh)] {
			f.take(fresh)
			return fresh
		}
	}
}
