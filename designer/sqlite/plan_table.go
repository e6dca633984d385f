package sqlite

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// tablePlan describes how one table gets from its old state to the new one: in
// place, or by being rebuilt.
type tablePlan struct {
	designer.TableDiff
	r       renderer
	renames renames
	why     []string // what only a rebuild can do, in words; empty: nothing

	dropped []*designer.Column // in place only: all of them
	added   []addition
}

// addition is a column to be added with the keys and checks that come along.
type addition struct {
	column *designer.Column
	keys   []designer.ForeignKey
	checks []designer.Check
}

func newTablePlan(d designer.TableDiff, r renderer) *tablePlan {
	t := &tablePlan{TableDiff: d, r: r, renames: renamesOf(d)}
	t.need(d.PrimaryKey, "primary key")
	t.need(d.Options, "table options")
	t.columns()
	t.foreignKeys()
	t.checks()
	for _, x := range d.Indexes {
		t.need(isConstraint(x) && !(x.Changed() && t.sameIndex(x.From, x.To)), "unique constraint")
	}
	for i := range t.added {
		t.need(!t.addable(i), "new column "+t.added[i].column.Name)
	}
	for _, c := range t.dropped {
		t.need(!t.droppable(c), "without column "+c.Name)
	}
	return t
}

// need notes a reason for a rebuild.
func (t *tablePlan) need(rebuild bool, reason string) {
	if rebuild && !slices.Contains(t.why, reason) {
		t.why = append(t.why, reason)
	}
}

func (t *tablePlan) rebuild() bool { return len(t.why) > 0 }

func (t *tablePlan) tableNames() []designer.TableName {
	return []designer.TableName{{Schema: t.From.Schema, Name: t.From.Name}}
}
