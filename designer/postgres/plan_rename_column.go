package postgres

import (
	"slices"
	"strconv"

	"github.com/berth-dev/berth/designer"
)

// renameColumns gives the columns of a table their new names.
func (p *planner) renameColumns(tp *tablePlan) {
	var renames []designer.Rename
	var taken []string
	for _, c := range tp.From.Columns {
		after := columnByID(tp.To, c.ID)
		if after.Name == "" || tp.rebuilt[c.ID] {
			continue // which is dropped by now
		}
		taken = append(taken, c.Name)
		if after.Name != c.Name {
			renames = append(renames, designer.Rename{From: c.Name, To: after.Name})
		}
	}
	var names temporaryNames
	space := designer.Namespace{Taken: taken, Temporary: func(string) string {
		return names.next(func(name string) bool { return !hasColumn(tp.From, name) && !hasColumn(tp.To, name) })
	}}
	table := "ALTER TABLE " + p.from.table(tp.From) + " RENAME COLUMN "
	for _, r := range space.Sequence(renames) {
		p.add(tp.From, "rename column "+qualifiedPlain(tp.From.Schema, tp.From.Name)+"."+r.From+" to "+r.To,
			table+ident(r.From)+" TO "+ident(r.To), table+ident(r.To)+" TO "+ident(r.From))
	}
}

func hasColumn(t *designer.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Name == name })
}

// temporaryNames counts the temporary names given.
type temporaryNames int

// next returns a name that is free.
func (n *temporaryNames) next(free func(name string) bool) string {
	for {
		*n++
		if name := "berth_" + strconv.Itoa(int(*n)); free(name) {
			return name
		}
	}
}
