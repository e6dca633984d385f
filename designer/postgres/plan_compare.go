package postgres

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// findRebuilt finds the columns that no ALTER COLUMN brings to what they have
// to be: those that become computed, whose formula changes, or which are
// computed from a column that is rebuilt or gets another type.
func (tp *tablePlan) findRebuilt() {
	moving := map[string]bool{} // names of before
	for _, c := range tp.Columns {
		if !c.Changed() {
			continue
		}
		becomes := c.To.IsComputed && !c.From.IsComputed
		formula := c.To.IsComputed && c.From.IsComputed && (c.From.ComputedPersisted != c.To.ComputedPersisted ||
			!tp.names.same(c.From.ComputedFormula, c.To.ComputedFormula))
		if becomes || formula {
			tp.rebuilt[c.From.ID] = true
		}
		if becomes || formula || c.Type || c.Collation {
			moving[c.From.Name] = true
		}
	}
	for name := range moving {
		for _, c := range tp.From.Columns {
			after := columnByID(tp.To, c.ID)
			if c.IsComputed && after.IsComputed && c.Name != name && mentions(c.ComputedFormula, tp.From.Name, name) {
				tp.rebuilt[c.ID] = true
			}
		}
	}
}

// usesRebuilt reports whether an expression or one of the columns is rebuilt.
func (tp *tablePlan) usesRebuilt(expressions []string, columns ...designer.ID) bool {
	for id := range tp.rebuilt {
		name := columnByID(tp.From, id).Name
		if slices.Contains(columns, id) || slices.ContainsFunc(expressions, func(e string) bool { return mentions(e, tp.From.Name, name) }) {
			return true
		}
	}
	return false
}

// withoutComment is what makes a part what it is; its comment can be changed.
func withoutComment(o map[string]string) map[string]string {
	o = maps.Clone(o)
	delete(o, OptionComment)
	return o
}

func sameOptions(a, b map[string]string) bool {
	return maps.Equal(withoutComment(a), withoutComment(b))
}

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
// made anew where it says something else, and where the key it refers to, or
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

// moves reports whether one of the columns gets another type or is made anew.
func (tp *tablePlan) moves(columns []designer.ID) bool {
	if tp == nil {
		return false
	}
	return tp.usesRebuilt(nil, columns...) || slices.ContainsFunc(tp.Columns, func(c designer.ColumnDiff) bool {
		return c.Changed() && (c.Type || c.Collation) && slices.Contains(columns, c.From.ID)
	})
}

// dropsKey reports whether a key of exactly these columns goes, if only to be
// made anew.
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

func indexID(x designer.Index) designer.ID           { return x.ID }
func checkID(k designer.Check) designer.ID           { return k.ID }
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
