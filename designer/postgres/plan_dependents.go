package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// findDependents finds the views and objects that have to go while columns
// change, and decides when they are put back. What reads something that is
// gone afterwards cannot be.
func (p *planner) findDependents() error {
	list := p.carried()
	if err := p.refuseOrphans(list); err != nil {
		return err
	}
	hit, rebuilt := p.shakenUses()
	if len(hit) == 0 {
		return nil
	}
	going := dependents(list, func(u designer.Use) bool { return hit[u] })
	late := dependents(list, func(u designer.Use) bool { return rebuilt[u] })
	p.vanish = map[place]bool{}
	for _, m := range ordered(list) {
		host := place{schema: m.schema, name: m.table}
		onView := m.isPart() && going[host] && !going[m.place()]
		switch {
		case m.kind == designer.ObjectStatistics && !late[m.place()]:
			continue // which the server keeps in step with its columns
		case !going[m.place()] && !onView:
			continue
		}
		if err := p.noteDependent(m); err != nil {
			return err
		}
		p.vanish[m.place()] = onView || going[host] || m.kind == designer.ObjectStatistics
		p.gone = append(p.gone, m)
		if late[m.place()] || late[host] {
			p.later = append(p.later, m)
		} else {
			p.soon = append(p.soon, m)
		}
	}
	return p.refuseStale()
}

// carried lists all that may depend on columns.
func (p *planner) carried() []dependent {
	var list []dependent
	for _, v := range p.d.From.Views() {
		list = append(list, dependentView(v))
	}
	for _, o := range p.d.From.Objects() {
		switch o.Kind {
		case designer.ObjectRoutine, designer.ObjectTrigger, designer.ObjectRule, designer.ObjectPolicy, designer.ObjectStatistics:
			list = append(list, dependentObject(o))
		}
	}
	return list
}

// shakenUses lists the columns that cannot change while something depends on
// them: those with another type, and those re-created. The latter, and tables
// whose primary key is re-created, are there again only at the end.
func (p *planner) shakenUses() (hit, rebuilt map[designer.Use]bool) {
	hit, rebuilt = map[designer.Use]bool{}, map[designer.Use]bool{}
	for _, tp := range p.order {
		for _, c := range tp.Columns {
			if c.Changed() && (c.Type || c.Collation) {
				hit[designer.Use{Schema: tp.From.Schema, Name: tp.From.Name, Column: c.From.Name}] = true
			}
		}
		for id := range tp.rebuilt {
			u := designer.Use{Schema: tp.From.Schema, Name: tp.From.Name, Column: columnByID(tp.From, id).Name}
			hit[u], rebuilt[u] = true, true
		}
		if tp.dropPrimary {
			p.groupedBy(tp, hit, rebuilt)
		}
	}
	return hit, rebuilt
}

// groupedBy adds the table itself where a view may group by its primary key:
// it then depends on the key.
func (p *planner) groupedBy(tp *tablePlan, hit, rebuilt map[designer.Use]bool) {
	u := designer.Use{Schema: tp.From.Schema, Name: tp.From.Name}
	for _, v := range p.d.From.Views() {
		if slices.Contains(v.Uses, u) && strings.Contains(v.Definition, "GROUP BY") {
			hit[u], rebuilt[u] = true, true
		}
	}
}

// refuseOrphans refuses to drop what a view or another object still reads.
func (p *planner) refuseOrphans(list []dependent) error {
	for _, m := range list {
		for _, u := range m.uses {
			t := p.named[usedPlace(u)]
			if t == nil || m.kind == designer.ObjectStatistics {
				continue
			}
			own := m.isPart() && m.schema == t.Schema && m.table == t.Name
			tp := p.tables[t.ID]
			switch {
			case p.dropped(t) && !own:
				return errTable(t, "the %s uses it: drop that first", m.label())
			case tp != nil && u.Column != "" && slices.ContainsFunc(tp.Columns, func(c designer.ColumnDiff) bool {
				return c.Dropped() && c.From.Name == u.Column
			}):
				return errTable(t, "the %s uses column %s: drop or change that first", m.label(), u.Column)
			}
		}
	}
	return nil
}

// refuseStale refuses to put something back at the end whose text has names
// of before.
func (p *planner) refuseStale() error {
	for _, tp := range p.order {
		for id := range tp.rebuilt {
			before, after := columnByID(tp.From, id).Name, columnByID(tp.To, id).Name
			if p.rightsOn(tp, id) != nil && (tp.Renamed || tp.Moved || before != after) {
				return errTable(tp.From, "column %s has to be re-created and has rights of its own: publish the new names first, then the rest", before)
			}
		}
	}
	for _, m := range p.later {
		uses := append(slices.Clone(m.uses), designer.Use{Schema: m.schema, Name: m.table})
		for _, u := range uses {
			t := p.named[usedPlace(u)]
			if t == nil || p.tables[t.ID] == nil {
				continue
			}
			tp := p.tables[t.ID]
			_, column := tp.names.columns[u.Column]
			if tp.Renamed || tp.Moved || column {
				return errTable(t, "the %s has to be re-created and names something that is renamed: publish the new names first, then the rest", m.label())
			}
		}
	}
	return nil
}

// dropDependents takes away what is in the way of columns, the last made
// first.
func (p *planner) dropDependents() {
	for _, m := range slices.Backward(p.gone) {
		if !p.vanish[m.place()] {
			p.add(nil, "drop "+m.label()+" until its columns have changed", m.drop(), m.again())
		}
	}
}

// again takes back that it was dropped, "" where one statement does not.
func (m dependent) again() string {
	if len(m.grants) > 0 {
		return "" // it would be someone else's, or open to others
	}
	return m.definition
}

// putBack makes again what was taken away, with all that belonged to it.
//
// What is not the publisher's own is given back before anything in it is
// computed: the rows of a materialized view and the keys of its indexes are
// computed with the rights of its owner, by functions that anybody may have
// written.
func (p *planner) putBack(list []dependent) {
	for _, m := range list {
		const unfilled = "\nWITH NO DATA"
		if !m.isMaterialized() || len(m.grants) == 0 {
			p.add(nil, "put "+m.label()+" back", m.definition, m.drop())
			p.run(nil, "part of "+m.label(), m.extras...)
			p.run(nil, "rights on "+m.label(), m.grants...)
			continue
		}
		text, empty := strings.CutSuffix(m.definition, unfilled)
		p.add(nil, "put "+m.label()+" back, without its rows", text+unfilled, m.drop())
		p.run(nil, "rights on "+m.label(), m.grants...)
		p.run(nil, "part of "+m.label(), m.extras...)
		if !empty {
			p.run(nil, "compute the rows of "+m.label(), "REFRESH MATERIALIZED VIEW "+qualified(m.schema, m.name))
		}
	}
}
