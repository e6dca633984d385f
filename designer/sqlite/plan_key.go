package sqlite

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// dropIndexes drops indexes that go or change, those of tables to be rebuilt
// too: their names may be needed before that.
func (p *planner) dropIndexes() {
	for _, t := range p.tables {
		for _, d := range t.Indexes {
			if d.From == nil || d.From.Constraint || d.Changed() && t.sameIndex(d.From, d.To) {
				continue
			}
			p.add(designer.Step{Statement: "DROP INDEX " + ident(d.From.Name),
				Comment: "Drop index " + spoken(d.From.Name) + " on " + spoken(t.From.Name),
				Reverse: renderer{p.d.From}.index(t.From, *d.From), Tables: t.tableNames()})
		}
	}
}

// createIndexes makes the indexes that are new, have changed or went with
// their tables.
func (p *planner) createIndexes() {
	for _, t := range p.d.Added {
		p.createAll(t)
	}
	for _, t := range p.tables {
		for _, x := range t.To.Indexes {
			if !x.Constraint && (t.rebuild() || t.changes(x)) {
				p.createOne(t.To, x, t.tableNames())
			}
		}
	}
}

func (p *planner) createAll(t *designer.Table) {
	for _, x := range t.Indexes {
		if !x.Constraint {
			p.createOne(t, x, []designer.TableName{{Schema: t.Schema, Name: t.Name}})
		}
	}
}

func (p *planner) createOne(t *designer.Table, x designer.Index, tables []designer.TableName) {
	s := createIndex(p.r, t, x)
	s.Tables = tables
	s.Risks = []designer.Risk{designer.RiskBlocksWrites}
	if x.Unique {
		s.Risks = append(s.Risks, designer.RiskMayFail)
	}
	p.add(s)
}

// changes reports whether an index of the table afterwards is not there before.
func (t *tablePlan) changes(x designer.Index) bool {
	for _, d := range t.Indexes {
		if d.To != nil && d.To.ID == x.ID {
			return d.From == nil || !t.sameIndex(d.From, d.To)
		}
	}
	return false
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
