package designer

import (
	"slices"
	"strings"
)

// indexForeignKey gives a key, on dialects whose server would, the index that
// it needs: named like the key, on its columns in their order, unless one
// begins with them already. The columns come in the order of the key that
// they refer to, as the server wants them.
func (t *tx) indexForeignKey(draft *Table, k *ForeignKey) {
	if !t.s.dialect.IndexesForeignKeys {
		return
	}
	if target := t.table(k.RefTable); target != nil {
		k.Mappings = target.inKeyOrder(k.Mappings)
	}
	if draft.beginsWith(k.Mappings) {
		return
	}
	x := Index{ID: t.s.newID(), Parts: mapEach(k.Mappings, func(m Mapping) IndexKey { return IndexKey{Column: m.Column} })}
	x.Name = t.s.dialect.freeName(k.Name, func(name string) bool {
		return t.s.taken(indexName, draft, indexNames(draft, ""), name)
	})
	draft.Indexes = append(draft.Indexes, x)
}

// forgetForeignKeyIndex takes the index that came with a foreign key, told by
// its name and columns, away with it, unless something else needs it.
func (t *tx) forgetForeignKeyIndex(before, draft *Table, k ForeignKey) {
	if !t.s.dialect.IndexesForeignKeys {
		return
	}
	columns := mapEach(k.Mappings, func(m Mapping) IndexKey { return IndexKey{Column: m.Column} })
	had := draft.Indexes
	draft.Indexes = keep(draft.Indexes, func(x Index) bool {
		return !strings.EqualFold(x.Name, k.Name) || x.Unique || !x.ordinary() || len(x.Options) > 0 || !slices.Equal(x.Parts, columns)
	})
	if t.keepIndexUsers(before, draft) != nil {
		draft.Indexes = had
	}
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
		return x.ordinary() && begins(mapEach(x.Parts, func(p IndexKey) ID {
			if p.Length > 0 {
				return "" // a part of the column does not do
			}
			return p.Column
		}))
	})
}

// restoreForeignKeyIndexes gives the foreign keys that found their rows by the
// primary key, and no longer do, an index, on dialects whose server insists.
func (t *tx) restoreForeignKeyIndexes(before, draft *Table) {
	for i := range draft.ForeignKeys {
		if k := &draft.ForeignKeys[i]; t.s.dialect.IndexesForeignKeys && before.beginsWith(k.Mappings) {
			t.indexForeignKey(draft, k)
		}
	}
}

// keepForeignKeyIndexes refuses, on dialects whose server would, a change
// that leaves a foreign key of the table without an index to find its rows.
func (t *tx) keepForeignKeyIndexes(before, draft *Table) *Error {
	if !t.s.dialect.IndexesForeignKeys {
		return nil
	}
	for _, k := range draft.ForeignKeys {
		had := slices.ContainsFunc(before.ForeignKeys, func(o ForeignKey) bool { return o.ID == k.ID })
		if had && before.beginsWith(k.Mappings) && !draft.beginsWith(k.Mappings) {
			return invalid("Foreign key %s of table %s needs an index that begins with its columns: add another one first, or drop the key",
				quote(k.label()), draft.quoted())
		}
	}
	return nil
}
