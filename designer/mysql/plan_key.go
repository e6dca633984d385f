package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// keyStep is a foreign key to drop or to add; table is its table, in the
// state that has the key.
type keyStep struct {
	table *designer.Table
	key   *designer.ForeignKey
}

// findKeys decides which foreign keys are dropped at the beginning and added
// at the end: those that differ, and those that stand in the way.
func (p *planner) findKeys() {
	for _, t := range p.d.From.Tables() {
		next := p.d.To.ByID(t.ID)
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if next == nil {
				p.keyOfDropped(t, k)
				continue
			}
			after := keyByID(next, k.ID)
			if after == nil || !sameKey(k, after) || p.inTheWay(t, next, k) {
				p.dropped = append(p.dropped, keyStep{t, k})
				if after != nil {
					p.added = append(p.added, keyStep{next, after})
				}
			}
		}
		if next == nil {
			continue
		}
		for i := range next.ForeignKeys {
			if k := &next.ForeignKeys[i]; keyByID(t, k.ID) == nil {
				p.added = append(p.added, keyStep{next, k})
			}
		}
	}
}

// keyOfDropped drops the keys by which dropped tables refer to each other in
// a ring.
func (p *planner) keyOfDropped(t *designer.Table, k *designer.ForeignKey) {
	target := p.d.From.ByID(k.RefTable)
	if target == nil || target.ID == t.ID || p.d.To.ByID(target.ID) != nil {
		return
	}
	if p.reaches(target, t, map[designer.ID]bool{}) {
		p.dropped = append(p.dropped, keyStep{t, k})
	}
}

// reaches reports whether foreign keys lead from one table to another.
func (p *planner) reaches(from, to *designer.Table, seen map[designer.ID]bool) bool {
	if from == nil || seen[from.ID] {
		return false
	}
	seen[from.ID] = true
	for _, k := range from.ForeignKeys {
		if k.RefTable == to.ID || p.reaches(p.d.From.ByID(k.RefTable), to, seen) {
			return true
		}
	}
	return false
}

func keyByID(t *designer.Table, id designer.ID) *designer.ForeignKey {
	for i := range t.ForeignKeys {
		if t.ForeignKeys[i].ID == id {
			return &t.ForeignKeys[i]
		}
	}
	return nil
}

func sameKey(a, b *designer.ForeignKey) bool {
	if a.Name != b.Name || a.RefTable != b.RefTable || a.OnDelete != b.OnDelete || a.OnUpdate != b.OnUpdate ||
		len(a.Mappings) != len(b.Mappings) || (a.Dangling == nil) != (b.Dangling == nil) {
		return false
	}
	pairs := map[designer.Mapping]bool{}
	for _, m := range a.Mappings {
		pairs[m] = true
	}
	for _, m := range b.Mappings {
		if !pairs[m] {
			return false
		}
	}
	return true
}

// generatedName is how InnoDB names a foreign key that was given no name. Such a
// name follows its table's; it is never modified.
var generatedName = lazyregexp.New(`_ibfk_[0-9]+$`)

// inTheWay reports whether the server would refuse, or do otherwise than meant,
// a change of the tables while the key is there.
func (p *planner) inTheWay(t, next *designer.Table, k *designer.ForeignKey) bool {
	if t.Name != next.Name && generatedName().MatchString(k.Name) && strings.HasPrefix(strings.ToLower(k.Name), strings.ToLower(t.Name)+"_ibfk_") {
		return true
	}
	target, targetNext := p.d.From.ByID(k.RefTable), p.d.To.ByID(k.RefTable)
	for _, m := range k.Mappings {
		if retyped(t, next, m.Column) || target != nil && targetNext != nil && retyped(target, targetNext, m.RefColumn) {
			return true
		}
	}
	return false
}

func columnByID(t *designer.Table, id designer.ID) *designer.Column {
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}

func (p *planner) isDropped(t *designer.Table, name string) bool {
	for _, k := range p.dropped {
		if k.table.ID == t.ID && k.key.Name == name {
			return true
		}
	}
	return false
}

// keysByTable groups keys by their table, in the order of the first of each:
// those of a table are dropped, and added, in one statement.
func keysByTable(list []keyStep) [][]keyStep {
	var out [][]keyStep
	at := map[designer.ID]int{}
	for _, k := range list {
		i, there := at[k.table.ID]
		if !there {
			i = len(out)
			at[k.table.ID], out = i, append(out, nil)
		}
		out[i] = append(out[i], k)
	}
	return out
}

// keyNames words the keys of one table: "foreign key a", "foreign keys a, b".
func keyNames(keys []keyStep) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.key.Name
	}
	if len(names) == 1 {
		return "foreign key " + names[0]
	}
	return "foreign keys " + strings.Join(names, ", ")
}

func (p *planner) dropKeys() {
	for _, c := range p.d.Changed {
		for _, k := range p.keysThatGo(c) {
			p.inAlter[k.key.ID] = true
		}
	}
	first := slices.DeleteFunc(slices.Clone(p.dropped), func(k keyStep) bool { return p.inAlter[k.key.ID] })
	for _, keys := range keysByTable(first) {
		table := keys[0].table
		drop, add := p.keyClauses(p.d.From, keys)
		p.add(designer.Step{Statement: alter(table.Name, drop), Comment: "Drop " + keyNames(keys) + " of " + table.Name, Reverse: alter(table.Name, add),
			Tables: []designer.TableName{tableName(table)}, Made: constraintProbe(table.Name, keys[0].key.Name, false)})
	}
}

func (p *planner) addKeys() {
	rest := slices.DeleteFunc(p.added, func(k keyStep) bool { return p.inAlter[k.key.ID] })
	for _, keys := range keysByTable(rest) {
		table := keys[0].table
		drop, add := p.keyClauses(p.d.To, keys)
		s := designer.Step{Statement: alter(table.Name, add), Comment: "Add " + keyNames(keys) + " to " + table.Name, Reverse: alter(table.Name, drop),
			Risks:  []designer.Risk{designer.RiskBlocksWrites, designer.RiskMayFail},
			Tables: p.namedBefore(table), Made: constraintProbe(table.Name, keys[0].key.Name, true)}
		for _, k := range keys {
			s.Tables = append(s.Tables, p.targetBefore(k)...)
			s.Prechecks = append(s.Prechecks, p.orphans(k)...)
		}
		p.add(s)
	}
}

// targetBefore is the table that a key refers to, as it is named before the
// plan; none where it is the key's own.
func (p *planner) targetBefore(k keyStep) []designer.TableName {
	if target := p.d.To.ByID(k.key.RefTable); target != nil && target.ID != k.table.ID {
		return p.namedBefore(target)
	}
	return nil
}

// keysThatGo lists the foreign keys of a table that can be dropped in the
// statement that changes what else changes of it: those from a table that the
// plan leaves as it is, whose name no other key gets.
func (p *planner) keysThatGo(c designer.TableDiff) []keyStep {
	renamed := func(c designer.ColumnDiff) bool { return c.Changed() && c.Renamed } // its way back would need both names
	if len(c.Indexes)+len(c.Checks)+len(c.Columns) == 0 || slices.ContainsFunc(c.Columns, renamed) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.dropped), func(k keyStep) bool {
		return k.table.ID != c.From.ID || !p.staysAsItIs(k) ||
			slices.ContainsFunc(c.To.ForeignKeys, func(o designer.ForeignKey) bool { return o.ID == k.key.ID || strings.EqualFold(o.Name, k.key.Name) })
	})
}

// keysThatCome lists the new foreign keys of a table that can be added in the
// statement that changes what else changes of it.
func (p *planner) keysThatCome(c designer.TableDiff) []keyStep {
	return slices.DeleteFunc(slices.Clone(p.added), func(k keyStep) bool {
		return k.table.ID != c.From.ID || !p.staysAsItIs(k) || p.ownIndex(k) != nil ||
			slices.ContainsFunc(c.From.ForeignKeys, func(o designer.ForeignKey) bool { return o.ID == k.key.ID || strings.EqualFold(o.Name, k.key.Name) })
	})
}

// staysAsItIs reports whether the plan does nothing to the table that a key of
// another one refers to.
func (p *planner) staysAsItIs(k keyStep) bool {
	target := p.d.From.ByID(k.key.RefTable)
	return target != nil && target.ID != k.table.ID && p.d.To.ByID(target.ID) != nil &&
		!slices.ContainsFunc(p.d.Changed, func(c designer.TableDiff) bool { return c.From.ID == target.ID })
}

// alteredKeys are foreign keys that are dropped and added in the statement
// that changes their table.
type alteredKeys struct{ gone, come []keyStep }

// with adds the keys to the statement's clauses and to those of its way back.
func (k alteredKeys) with(p *planner, s *designer.Step, clauses, back []string) (there, reverse []string) {
	drop, restore := p.keyClauses(p.d.From, k.gone)
	restore = slices.DeleteFunc(restore, func(clause string) bool { return !strings.HasPrefix(clause, "ADD CONSTRAINT ") }) // indexes are of back
	undo, add := p.keyClauses(p.d.To, k.come)
	words := []string{}
	if len(k.gone) > 0 {
		words = append(words, "drop "+keyNames(k.gone))
	}
	if len(k.come) > 0 {
		words = append(words, "add "+keyNames(k.come))
		for _, r := range []designer.Risk{designer.RiskBlocksWrites, designer.RiskMayFail} {
			if !slices.Contains(s.Risks, r) {
				s.Risks = append(s.Risks, r)
			}
		}
	}
	for _, one := range k.come {
		p.inAlter[one.key.ID] = true
		s.Tables = append(s.Tables, p.targetBefore(one)...)
		s.Prechecks = append(s.Prechecks, p.orphans(one)...)
	}
	if len(words) > 0 {
		s.Comment += ", " + strings.Join(words, ", ")
	}
	switch {
	case s.Made != "":
	case len(k.come) > 0:
		s.Made = constraintProbe(k.come[0].table.Name, k.come[0].key.Name, true)
	case len(k.gone) > 0:
		s.Made = constraintProbe(k.gone[0].table.Name, k.gone[0].key.Name, false)
	}
	return slices.Concat(drop, clauses, add), slices.Concat(undo, back, restore)
}

// namedBefore is the table's name before the plan; a new table has its own.
func (p *planner) namedBefore(t *designer.Table) []designer.TableName {
	if before := p.d.From.ByID(t.ID); before != nil {
		return []designer.TableName{tableName(before)}
	}
	return []designer.TableName{tableName(t)}
}

// keyClauses are what drops and adds keys of one table, in the state that has
// them.
func (p *planner) keyClauses(s *designer.Schema, keys []keyStep) (drop, add []string) {
	for _, k := range keys {
		alone := &designer.Table{Columns: k.table.Columns, ForeignKeys: []designer.ForeignKey{*k.key}}
		def := s.DefineTable(alone).ForeignKeys[0]
		drop = append(drop, "DROP FOREIGN KEY "+quoteName(k.key.Name))
		for _, clause := range append(p.ownIndex(k), "ADD "+foreignKeyClause(def, p.own)) {
			if !slices.Contains(add, clause) { // an index that two keys share
				add = append(add, clause)
			}
		}
	}
	return drop, add
}

// ownIndex re-creates the index of a key that comes back: should the server
// have made it for the key by itself, it would replace it by another.
func (p *planner) ownIndex(k keyStep) []string {
	before := p.d.From.ByID(k.table.ID)
	if before == nil {
		return nil
	}
	columns := make([]designer.ID, len(k.key.Mappings))
	for i, m := range k.key.Mappings {
		columns[i] = m.Column
	}
	had := slices.ContainsFunc(before.ForeignKeys, func(o designer.ForeignKey) bool {
		return slices.EqualFunc(o.Mappings, k.key.Mappings, func(a, b designer.Mapping) bool { return a.Column == b.Column })
	})
	if !had {
		return nil
	}
	for _, x := range k.table.Indexes {
		if plain(x) && slices.Equal(columnsOf(x), columns) {
			return []string{"DROP INDEX " + quoteName(x.Name), "ADD " + indexClause(indexDefinition(k.table, x))}
		}
	}
	return nil
}
