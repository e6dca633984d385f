package mysql

import (
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
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
var generatedName = regexp.MustCompile(`_ibfk_[0-9]+$`)

// inTheWay reports whether the server would refuse, or do otherwise than meant,
// a change of the tables while the key is there.
func (p *planner) inTheWay(t, next *designer.Table, k *designer.ForeignKey) bool {
	if t.Name != next.Name && generatedName.MatchString(k.Name) && strings.HasPrefix(strings.ToLower(k.Name), strings.ToLower(t.Name)+"_ibfk_") {
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

func (p *planner) dropKeys() {
	for _, k := range p.dropped {
		drop, add := p.keyStatements(p.d.From, k)
		p.add(designer.Step{Statement: drop, Comment: "Drop foreign key " + k.key.Name + " of " + k.table.Name, Reverse: add,
			Tables: []designer.TableName{tableName(k.table)}, Made: constraintProbe(k.table.Name, k.key.Name, false)})
	}
}

func (p *planner) addKeys() {
	for _, k := range p.added {
		drop, add := p.keyStatements(p.d.To, k)
		s := designer.Step{Statement: add, Comment: "Add foreign key " + k.key.Name + " to " + k.table.Name, Reverse: drop,
			Risks:  []designer.Risk{designer.RiskBlocksWrites, designer.RiskMayFail},
			Tables: p.namedBefore(k.table), Made: constraintProbe(k.table.Name, k.key.Name, true)}
		if target := p.d.To.ByID(k.key.RefTable); target != nil && target.ID != k.table.ID {
			s.Tables = append(s.Tables, p.namedBefore(target)...)
		}
		s.Prechecks = p.orphans(k)
		p.add(s)
	}
}

// namedBefore is the table's name before the plan; a new table has its own.
func (p *planner) namedBefore(t *designer.Table) []designer.TableName {
	if before := p.d.From.ByID(t.ID); before != nil {
		return []designer.TableName{tableName(before)}
	}
	return []designer.TableName{tableName(t)}
}

// keyStatements are what drops and adds the key, in the state that has it.
func (p *planner) keyStatements(s *designer.Schema, k keyStep) (drop, add string) {
	alone := &designer.Table{Columns: k.table.Columns, ForeignKeys: []designer.ForeignKey{*k.key}}
	def := s.DefineTable(alone).ForeignKeys[0]
	add = alter(k.table.Name, append(p.ownIndex(k), "ADD "+foreignKeyClause(def, p.own)))
	return alter(k.table.Name, []string{"DROP FOREIGN KEY " + quoteName(k.key.Name)}), add
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
