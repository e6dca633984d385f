package sqlite

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// tablePlan says how one table gets from what it is to what it shall be: in
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

func (t *tablePlan) columns() {
	for _, c := range t.Columns {
		switch {
		case c.Added():
			t.added = append(t.added, addition{column: c.To})
		case c.Dropped():
			t.dropped = append(t.dropped, c.From)
		default:
			t.column(c)
		}
	}
}

func (t *tablePlan) column(c designer.ColumnDiff) {
	a, b := c.From, c.To
	formula := c.Computed && (a.IsComputed != b.IsComputed || a.ComputedPersisted != b.ComputedPersisted ||
		!t.renames.lead(a.ComputedFormula, b.ComputedFormula))
	for _, part := range []struct {
		changes bool
		what    string
	}{
		{c.Type, "type"}, {c.Nullable, "nullability"}, {c.Default, "default"}, {c.Identity, "identity"},
		{formula, "formula"}, {c.Collation, "collation"}, {c.Options, "options"},
	} {
		t.need(part.changes, part.what+" of column "+b.Name)
	}
}

// foreignKeys lets a new key on a new column come along with it.
func (t *tablePlan) foreignKeys() {
	for _, d := range t.ForeignKeys {
		if d.Changed() && t.sameForeignKey(d.From, d.To) {
			continue
		}
		if at := t.host(d); at >= 0 {
			t.added[at].keys = append(t.added[at].keys, *d.To)
			continue
		}
		t.need(true, "foreign keys")
	}
}

// host returns the addition that a new key belongs to, -1 for none.
func (t *tablePlan) host(d designer.PartDiff[designer.ForeignKey]) int {
	if !d.Added() || len(d.To.Mappings) != 1 {
		return -1
	}
	return slices.IndexFunc(t.added, func(a addition) bool { return a.column.ID == d.To.Mappings[0].Column })
}

// checks lets a new check on new columns come along with the last of them.
func (t *tablePlan) checks() {
	for _, d := range t.Checks {
		if d.Changed() && d.From.Name == d.To.Name && maps.Equal(d.From.Options, d.To.Options) &&
			t.renames.lead(d.From.Expression, d.To.Expression) {
			continue
		}
		at := -1
		for i, a := range t.added {
			if d.Added() && len(d.To.Options) == 0 && mentions(d.To.Expression, a.column.Name) {
				at = i
			}
		}
		t.need(at < 0, "checks")
		if at >= 0 {
			t.added[at].checks = append(t.added[at].checks, *d.To)
		}
	}
}

// sameForeignKey compares keys as they read once everything has its new name.
func (t *tablePlan) sameForeignKey(a, b *designer.ForeignKey) bool {
	return a.Name == b.Name && t.r.references(*a) == t.r.references(*b) &&
		slices.EqualFunc(a.Mappings, b.Mappings, func(m, n designer.Mapping) bool { return m.Column == n.Column })
}

func (t *tablePlan) sameIndex(a, b *designer.Index) bool {
	return a.Name == b.Name && a.Unique == b.Unique && a.Constraint == b.Constraint &&
		maps.Equal(a.Options, b.Options) && t.renames.lead(a.Where, b.Where) &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q designer.IndexKey) bool {
			return p.Column == q.Column && p.Descending == q.Descending && fold(p.Collation) == fold(q.Collation) &&
				t.renames.lead(p.Expression, q.Expression)
		})
}

func isConstraint(d designer.PartDiff[designer.Index]) bool {
	return d.From != nil && d.From.Constraint || d.To != nil && d.To.Constraint
}

// addable reports whether ALTER TABLE ADD COLUMN takes the column whatever rows
// there are, or refuses it for their sake as a rebuild would.
func (t *tablePlan) addable(i int) bool {
	c := t.added[i].column
	if c.IsIdentity || c.ComputedPersisted || c.DefaultValue != "" && !isSteady(c.DefaultValue) {
		return false
	}
	return !slices.ContainsFunc(t.added[i+1:], func(later addition) bool {
		return mentions(c.ComputedFormula, later.column.Name)
	})
}

// droppable reports whether ALTER TABLE DROP COLUMN takes the column and
// nothing else. SQLite drops a check along with the column that it is written
// with, whatever it is about, and the model does not know where that is.
func (t *tablePlan) droppable(c *designer.Column) bool {
	used := len(t.From.Checks) > 0 || t.PrimaryKey || t.Options
	for _, k := range t.From.ForeignKeys {
		used = used || slices.ContainsFunc(k.Mappings, func(m designer.Mapping) bool { return m.Column == c.ID })
	}
	for _, x := range t.From.Indexes {
		used = used || x.Constraint && slices.ContainsFunc(x.Parts, func(p designer.IndexKey) bool { return p.Column == c.ID })
	}
	rest := 0
	for _, o := range t.From.Columns {
		used = used || mentions(o.ComputedFormula, c.Name)
		if columnByID(t.To, o.ID) != nil && !o.IsComputed {
			rest++
		}
	}
	return !used && rest > 0
}
