package postgres

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// dropParts drops what goes and what has to make room: foreign keys, then
// checks, indexes and keys, then tables and columns.
func (p *planner) dropParts() {
	for _, tp := range p.order {
		for _, k := range tp.dropKeys {
			p.dropConstraint(tp, k.Name, "foreign key", "ALTER TABLE "+p.from.table(tp.From)+" ADD "+p.from.foreignKey(tp.From, k))
		}
	}
	for _, tp := range p.order {
		for _, k := range tp.dropChecks {
			p.dropConstraint(tp, k.Name, "check", "ALTER TABLE "+p.from.table(tp.From)+" ADD "+p.from.check(k))
		}
		for _, x := range tp.dropIndexes {
			p.dropIndex(tp, x)
		}
		if tp.dropPrimary {
			p.dropConstraint(tp, keyName(tp.From), "primary key", "ALTER TABLE "+p.from.table(tp.From)+" ADD "+p.from.primaryKey(tp.From))
		}
	}
	p.dropTables()
	for _, tp := range p.order {
		p.dropColumns(tp)
	}
}

// keyName is what the primary key of t is called in the database.
func keyName(t *designer.Table) string {
	if name := t.PrimaryKey.Name; name != "" {
		return name
	}
	return madeName(t.Name, "", "pkey")
}

func (p *planner) dropConstraint(tp *tablePlan, name, what, reverse string) {
	p.add(tp.From, "drop "+what+" "+name+" of "+qualifiedPlain(tp.From.Schema, tp.From.Name), dropConstraint(p.from, tp.From, name), reverse)
}

func (p *planner) dropIndex(tp *tablePlan, x designer.Index) {
	if isConstraint(x) {
		p.dropConstraint(tp, x.Name, "constraint", "ALTER TABLE "+p.from.table(tp.From)+" ADD "+p.from.constraint(tp.From, x))
		return
	}
	p.add(tp.From, "drop index "+x.Name+" on "+qualifiedPlain(tp.From.Schema, tp.From.Name),
		"DROP INDEX "+qualified(tp.From.Schema, x.Name), p.from.createIndex(tp.From, x))
}

// dropTables drops tables, those that refer to others first. Foreign keys of
// tables that refer to each other go before.
func (p *planner) dropTables() {
	left := slices.Clone(p.d.Dropped)
	for len(left) > 0 {
		free := slices.IndexFunc(left, func(t *designer.Table) bool { return !p.referred(t, left) })
		if free < 0 {
			free = 0
			p.dropReferences(left[0], left)
		}
		t := left[free]
		left = slices.Delete(left, free, free+1)
		p.add(t, "drop table "+qualifiedPlain(t.Schema, t.Name), "DROP TABLE "+p.from.table(t), "", designer.RiskDataLoss)
	}
}

// referred reports whether one of the others among left refers to t.
func (p *planner) referred(t *designer.Table, left []*designer.Table) bool {
	return slices.ContainsFunc(left, func(other *designer.Table) bool {
		return other.ID != t.ID && slices.ContainsFunc(other.ForeignKeys, func(k designer.ForeignKey) bool { return k.RefTable == t.ID })
	})
}

func (p *planner) dropReferences(t *designer.Table, left []*designer.Table) {
	for _, other := range left {
		for _, k := range other.ForeignKeys {
			if other.ID != t.ID && k.RefTable == t.ID {
				p.add(other, "drop foreign key "+k.Name+" of "+qualifiedPlain(other.Schema, other.Name), dropConstraint(p.from, other, k.Name), "")
			}
		}
	}
}

// dropColumns drops columns, computed ones first: they may need the others.
func (p *planner) dropColumns(tp *tablePlan) {
	for _, computed := range []bool{true, false} {
		for _, c := range tp.From.Columns {
			after := columnByID(tp.To, c.ID)
			if c.IsComputed != computed || after.Name != "" && !tp.rebuilt[c.ID] {
				continue
			}
			comment, risks := "drop column ", []designer.Risk{designer.RiskDataLoss}
			if c.IsComputed {
				risks = nil
			}
			if after.Name != "" {
				comment = "drop, to compute it anew, column "
			}
			p.add(tp.From, comment+qualifiedPlain(tp.From.Schema, tp.From.Name)+"."+c.Name,
				"ALTER TABLE "+p.from.table(tp.From)+" DROP COLUMN "+ident(c.Name), "", risks...)
		}
	}
}
