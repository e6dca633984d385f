package postgres

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

func (tp *tablePlan) comparePrimary() {
	a, b := tp.From.PrimaryKey, tp.To.PrimaryKey
	same := a != nil && b != nil && slices.Equal(a.Columns, b.Columns) && sameOptions(a.Options, b.Options) &&
		!tp.usesRebuilt(nil, a.Columns...)
	tp.dropPrimary, tp.addPrimary = a != nil && !same, b != nil && !same
}

func (tp *tablePlan) compareIndexes() {
	for _, x := range tp.From.Indexes {
		after := find(tp.To.Indexes, x.ID, indexID)
		if after == nil || !tp.sameIndex(x, *after) {
			tp.dropIndexes = append(tp.dropIndexes, x)
			if after != nil {
				tp.addIndexes = append(tp.addIndexes, *after)
			}
		}
	}
	for _, x := range tp.To.Indexes {
		if find(tp.From.Indexes, x.ID, indexID) == nil {
			tp.addIndexes = append(tp.addIndexes, x)
		}
	}
}

// sameIndex reports whether an index needs no more than a new name or comment.
func (tp *tablePlan) sameIndex(a, b designer.Index) bool {
	expressions, columns := []string{a.Where}, slices.Clone(a.Include)
	for _, k := range a.Parts {
		expressions, columns = append(expressions, k.Expression), append(columns, k.Column)
	}
	return a.Unique == b.Unique && a.Constraint == b.Constraint && a.Method == b.Method &&
		slices.EqualFunc(a.Parts, b.Parts, tp.sameIndexKey) && sameSet(a.Include, b.Include) &&
		tp.names.same(a.Where, b.Where) && sameOptions(a.Options, b.Options) && !tp.usesRebuilt(expressions, columns...)
}

func (tp *tablePlan) sameIndexKey(a, b designer.IndexKey) bool {
	same := tp.names.same(a.Expression, b.Expression)
	a.Expression, b.Expression = "", ""
	return same && a == b
}

func sameSet[T comparable](a, b []T) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(v T) bool { return !slices.Contains(b, v) })
}

func (tp *tablePlan) compareChecks() {
	for _, k := range tp.From.Checks {
		after := find(tp.To.Checks, k.ID, checkID)
		if after == nil || !tp.names.same(k.Expression, after.Expression) || !sameValidated(k.Options, after.Options) ||
			tp.usesRebuilt([]string{k.Expression}) {
			tp.dropChecks = append(tp.dropChecks, k)
			if after != nil {
				tp.addChecks = append(tp.addChecks, *after)
			}
		}
	}
	for _, k := range tp.To.Checks {
		if find(tp.From.Checks, k.ID, checkID) == nil {
			tp.addChecks = append(tp.addChecks, k)
		}
	}
}

// sameValidated reports whether options differ in no more than that the
// constraint is now to be validated.
func sameValidated(a, b map[string]string) bool {
	a, b = withoutComment(a), withoutComment(b)
	if b[OptionNotValid] == "" {
		delete(a, OptionNotValid)
	}
	return maps.Equal(a, b)
}

// compareForeignKeys finds the foreign keys that are dropped or added. One is
// re-created where it says something else, and where the key it refers to, or
// the type of one of its columns, changes.
func (p *planner) compareForeignKeys() {
	for _, t := range p.d.From.Tables() {
		after := p.d.To.ByID(t.ID)
		if after == nil {
			continue // its keys go with it
		}
		for _, k := range t.ForeignKeys {
			next := find(after.ForeignKeys, k.ID, foreignKeyID)
			if next != nil && sameForeignKey(k, *next) && !p.shaken(t, k) {
				continue
			}
			tp := p.planFor(t, after)
			tp.dropKeys = append(tp.dropKeys, k)
			if next != nil {
				tp.addKeys = append(tp.addKeys, *next)
			}
		}
		for _, k := range after.ForeignKeys {
			if find(t.ForeignKeys, k.ID, foreignKeyID) == nil {
				tp := p.planFor(t, after)
				tp.addKeys = append(tp.addKeys, k)
			}
		}
	}
}

// sameForeignKey reports whether a key needs no more than a new name, comment
// or deferral, or to be validated.
func sameForeignKey(a, b designer.ForeignKey) bool {
	if a.Dangling != nil || b.Dangling != nil {
		return a.Dangling != nil && b.Dangling != nil && a.Dangling.Schema == b.Dangling.Schema && a.Dangling.Table == b.Dangling.Table &&
			slices.Equal(a.Dangling.Columns, b.Dangling.Columns) && sameActs(a, b)
	}
	return a.RefTable == b.RefTable && sameActs(a, b)
}

func sameActs(a, b designer.ForeignKey) bool {
	return sameSet(a.Mappings, b.Mappings) && a.OnDelete == b.OnDelete && a.OnUpdate == b.OnUpdate &&
		sameValidated(a.Options, b.Options)
}

// shaken reports whether a foreign key cannot stay while its columns or the key
// that it refers to change.
func (p *planner) shaken(t *designer.Table, k designer.ForeignKey) bool {
	var own, referenced []designer.ID
	for _, m := range k.Mappings {
		own, referenced = append(own, m.Column), append(referenced, m.RefColumn)
	}
	return p.tables[t.ID].moves(own) || p.tables[k.RefTable].moves(referenced) || p.tables[k.RefTable].dropsKey(referenced)
}

// dropsKey reports whether a key of exactly these columns goes, if only to be
// re-created.
func (tp *tablePlan) dropsKey(columns []designer.ID) bool {
	if tp == nil {
		return false
	}
	if tp.dropPrimary && sameSet(tp.From.PrimaryKey.Columns, columns) {
		return true
	}
	return slices.ContainsFunc(tp.dropIndexes, func(x designer.Index) bool {
		var own []designer.ID
		for _, k := range x.Parts {
			own = append(own, k.Column)
		}
		return x.Unique && sameSet(own, columns)
	})
}

func indexID(x designer.Index) designer.ID { return x.ID }

func checkID(k designer.Check) designer.ID { return k.ID }

func foreignKeyID(k designer.ForeignKey) designer.ID { return k.ID }

// find returns the part with this id, nil if there is none.
func find[T any](list []T, id designer.ID, of func(T) designer.ID) *T {
	for i := range list {
		if of(list[i]) == id {
			return &list[i]
		}
	}
	return nil
}

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
		p.add(t, "drop table "+qualifiedPlain(t.Schema, t.Name), "DROP TABLE "+p.from.table(t), "", p.withBreaks(t, "", designer.RiskDataLoss)...)
	}
}

// referred reports whether one of the others among left refers to t, or
// inherits from it.
func (p *planner) referred(t *designer.Table, left []*designer.Table) bool {
	if slices.ContainsFunc(p.heirs(t), func(heir *designer.Table) bool { return slices.Contains(left, heir) }) {
		return true
	}
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

// addParts makes what is new, tables and columns first and foreign keys last.
func (p *planner) addParts() {
	for _, t := range p.d.Added {
		p.createTable(p.to, t)
		p.finishTable(p.to, t)
		p.noteTriggers(t)
	}
	for _, tp := range p.order {
		p.addColumns(tp)
	}
	for _, tp := range p.order {
		if tp.addPrimary {
			p.addPrimaryKey(p.to, tp.To)
		}
		for _, x := range tp.addIndexes {
			p.addIndex(p.to, tp.To, x)
			p.indexSettings(p.to, tp.To, x)
		}
		for _, k := range tp.addChecks {
			p.addCheck(p.to, tp.To, k)
		}
	}
	for _, t := range p.d.Added {
		for _, k := range t.ForeignKeys {
			p.addForeignKey(p.to, t, k)
		}
	}
	for _, tp := range p.order {
		for _, k := range tp.addKeys {
			p.addForeignKey(p.to, tp.To, k)
		}
	}
}
