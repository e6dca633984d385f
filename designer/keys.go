package designer

import "slices"

// The facts about a table's keys and indexes that both writing and checking
// an edit ask for. None of them is a rule.

// hasKey reports whether the columns, in any order, are the primary key or a
// whole unique key of t.
func (t *Table) hasKey(columns []ID) bool {
	same := func(key []ID) bool {
		return len(key) == len(columns) && !slices.ContainsFunc(key, func(id ID) bool { return !slices.Contains(columns, id) })
	}
	if t.PrimaryKey != nil && same(t.PrimaryKey.Columns) {
		return true
	}
	for _, x := range t.Indexes {
		if x.Unique && x.Where == "" && same(x.wholeColumns()) {
			return true
		}
	}
	return false
}

// keepsKeys reports whether every key of t is one of after too.
func (t *Table) keepsKeys(after *Table) bool {
	if t.PrimaryKey != nil && !after.hasKey(t.PrimaryKey.Columns) {
		return false
	}
	return !slices.ContainsFunc(t.Indexes, func(x Index) bool {
		columns := x.wholeColumns()
		return x.Unique && x.Where == "" && !slices.Contains(columns, "") && !after.hasKey(columns)
	})
}

// referencesWithoutKey lists the foreign keys that point at columns which were
// a key of the table before and are none after. The referring tables
// are looked at only where a key went: a table that thousands refer to is
// edited at the price of any other.
func (st state) referencesWithoutKey(before, after *Table) []string {
	if before.keepsKeys(after) {
		return nil // and nobody has to be asked
	}
	var names []string
	for _, from := range st.s.Incoming(before.ID) {
		if from.ID == before.ID {
			from = after
		}
		for _, k := range from.ForeignKeys {
			refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
			if k.RefTable == before.ID && before.hasKey(refs) && !after.hasKey(refs) {
				names = append(names, from.fullName()+"."+k.label())
			}
		}
	}
	return names
}

// misplacedIdentity returns an identity column that is not where the dialect
// wants one, nil if there is none. A table that had such a column before may
// have one; before is nil for a new table.
func (d *Dialect) misplacedIdentity(before, after *Table) *Column {
	if before != nil && d.Identity.Place.misplaced(before) != nil {
		return nil
	}
	return d.Identity.Place.misplaced(after)
}

// foreignKeyWithoutIndex returns, on dialects whose server insists on it, a
// foreign key that had an index to find its rows and has none after.
func (d *Dialect) foreignKeyWithoutIndex(before, after *Table) *ForeignKey {
	if !d.ForeignKeys.Indexed {
		return nil
	}
	for i, k := range after.ForeignKeys {
		had := slices.ContainsFunc(before.ForeignKeys, func(o ForeignKey) bool { return o.ID == k.ID })
		if had && before.beginsWith(k.Mappings) && !after.beginsWith(k.Mappings) {
			return &after.ForeignKeys[i]
		}
	}
	return nil
}

// identityBeside returns an identity column that is not the primary key
// alone, nil if there is none.
func (t *Table) identityBeside() *Column {
	for i, c := range t.Columns {
		if c.IsIdentity && (t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 || !t.inKey(c.ID)) {
			return &t.Columns[i]
		}
	}
	return nil
}

// identityBehind returns an identity column that is not the first one of a
// key or an index, nil if there is none.
func (t *Table) identityBehind() *Column {
	for i, c := range t.Columns {
		if c.IsIdentity && !t.leads(c.ID) {
			return &t.Columns[i]
		}
	}
	return nil
}

// leads reports whether the primary key or an index begins with the column.
func (t *Table) leads(column ID) bool {
	if t.PrimaryKey != nil && t.PrimaryKey.Columns[0] == column {
		return true
	}
	for _, x := range t.Indexes {
		if x.ordinary() && x.Parts[0].Column == column && x.Parts[0].Length == 0 {
			return true
		}
	}
	return false
}

// ordinary reports whether the index finds and orders rows by its columns, as
// one for full text does not.
func (x Index) ordinary() bool { return x.Where == "" && x.Method == "" && len(x.Parts) > 0 }

// wholeColumns lists the columns of an index, "" in the place of an expression
// and of a column that is indexed in part, which do not find its values.
func (x Index) wholeColumns() []ID {
	return mapEach(x.Parts, func(p IndexKey) ID {
		if p.Length > 0 {
			return ""
		}
		return p.Column
	})
}

// inKeyOrder sorts mappings to columns of t as its key has them, or leaves
// them where they are no key of t.
func (t *Table) inKeyOrder(mappings []Mapping) []Mapping {
	at := map[ID]Mapping{}
	for _, m := range mappings {
		at[m.RefColumn] = m
	}
	sorted := func(key []ID) []Mapping {
		var out []Mapping
		for _, id := range key {
			if m, ok := at[id]; ok {
				out = append(out, m)
			}
		}
		if len(key) != len(mappings) || len(out) != len(mappings) {
			return nil
		}
		return out
	}
	keys := [][]ID{}
	if t.PrimaryKey != nil {
		keys = append(keys, t.PrimaryKey.Columns)
	}
	for _, x := range t.Indexes {
		if x.Unique && x.ordinary() {
			keys = append(keys, mapEach(x.Parts, func(p IndexKey) ID { return p.Column }))
		}
	}
	var first []Mapping
	for _, key := range keys {
		out := sorted(key)
		if slices.Equal(out, mappings) {
			return mappings
		}
		if first == nil {
			first = out
		}
	}
	if first == nil {
		return mappings
	}
	return first
}

// beginsWith reports whether the primary key or an index of t begins with the
// columns of a foreign key, in their order.
func (t *Table) beginsWith(mappings []Mapping) bool {
	columns := mapEach(mappings, func(m Mapping) ID { return m.Column })
	begins := func(key []ID) bool { return len(key) >= len(columns) && slices.Equal(key[:len(columns)], columns) }
	if t.PrimaryKey != nil && begins(t.PrimaryKey.Columns) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x Index) bool {
		return x.ordinary() && begins(x.wholeColumns())
	})
}

// indexed reports whether a key or an index of t begins with k's columns, in
// any order.
func (t *Table) indexed(k ForeignKey) bool {
	covers := func(columns []ID) bool {
		return len(columns) >= len(k.Mappings) &&
			!slices.ContainsFunc(k.Mappings, func(m Mapping) bool { return !slices.Contains(columns[:len(k.Mappings)], m.Column) })
	}
	if t.PrimaryKey != nil && covers(t.PrimaryKey.Columns) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x Index) bool {
		return x.Where == "" && covers(mapEach(x.Parts, func(p IndexKey) ID { return p.Column }))
	})
}
