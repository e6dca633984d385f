package sqlite

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

func (p *planner) dropColumns() {
	for _, t := range p.tables {
		for _, c := range t.dropped {
			if t.rebuild() {
				continue
			}
			p.add(designer.Step{Statement: "ALTER TABLE " + ident(t.From.Name) + " DROP COLUMN " + ident(c.Name),
				Comment: "Drop column " + spoken(c.Name) + " of " + spoken(t.From.Name),
				Risks:   []designer.Risk{designer.RiskDataLoss, designer.RiskRewritesTable}, Tables: t.tableNames()})
		}
	}
}

func (p *planner) addColumns() {
	for _, t := range p.tables {
		if t.rebuild() {
			continue
		}
		for _, a := range t.added {
			text := p.r.column(t.To, a.column)
			for _, k := range a.checks {
				text += " " + renderCheck(k)
			}
			for _, k := range a.keys {
				text += " " + named(k.Name) + p.r.references(k)
			}
			s := designer.Step{Statement: "ALTER TABLE " + ident(t.To.Name) + " ADD COLUMN " + text,
				Comment: "Add column " + spoken(a.column.Name) + " to " + spoken(t.To.Name),
				Reverse: "ALTER TABLE " + ident(t.To.Name) + " DROP COLUMN " + ident(a.column.Name), Tables: t.tableNames()}
			if len(a.checks)+len(a.keys) > 0 || !a.column.IsNullable {
				s.Risks = []designer.Risk{designer.RiskMayFail}
			}
			p.add(s)
		}
	}
}

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
