package postgres

import "strconv"

// renameColumns gives the columns of a table their new names. Where names go
// round in a circle, one column takes a temporary name.
func (p *planner) renameColumns(tp *tablePlan) {
	used := map[string]bool{}
	type move struct{ from, to string }
	var left []move
	for _, c := range tp.From.Columns {
		after := columnByID(tp.To, c.ID)
		if after.Name == "" || tp.rebuilt[c.ID] {
			continue // which is dropped by now
		}
		used[c.Name] = true
		if after.Name != c.Name {
			left = append(left, move{c.Name, after.Name})
		}
	}
	rename := func(i int, name string) {
		m := left[i]
		table := "ALTER TABLE " + p.from.table(tp.From) + " RENAME COLUMN "
		p.add(tp.From, "rename column "+qualifiedPlain(tp.From.Schema, tp.From.Name)+"."+m.from+" to "+name,
			table+ident(m.from)+" TO "+ident(name), table+ident(name)+" TO "+ident(m.from))
		delete(used, m.from)
		used[name], left[i].from = true, name
	}
	for temporary, most := 0, 2*len(left); len(left) > 0 && most >= 0; most-- {
		var waiting []move
		for i, m := range left {
			if used[m.to] {
				waiting = append(waiting, m)
			} else {
				rename(i, m.to)
			}
		}
		if len(waiting) == len(left) {
			for temporary++; used["berth_"+strconv.Itoa(temporary)]; temporary++ {
			}
			rename(0, "berth_"+strconv.Itoa(temporary))
			waiting = left
		}
		left = waiting
	}
}
