package designer

import "slices"

// completeImported gives an imported table what an edit would have given it:
// names for what is new and has none, the indexes that foreign keys need, the
// options that go together. old is nil for a new table. s has t and gets the
// completed table in its place.
func (s *Schema) completeImported(old, t *Table) {
	if old == nil {
		old = &Table{}
	}
	draft := t.Clone()
	// Definitions are sorted; the order of these means nothing.
	followOrder(draft.ForeignKeys, old.ForeignKeys, func(k ForeignKey) ID { return k.ID })
	followOrder(draft.Indexes, old.Indexes, indexID)
	followOrder(draft.Checks, old.Checks, checkID)
	if k, was := draft.PrimaryKey, old.PrimaryKey; k != nil && was != nil && k.Name == "" && slices.Equal(k.Columns, was.Columns) {
		k.Name = was.Name
		if k.Options == nil {
			k.Options = cloneOptions(was.Options)
		}
	}
	edit := &tx{state{s: s}}
	for i := range draft.ForeignKeys {
		if k := &draft.ForeignKeys[i]; !hasKey(old, k.ID) {
			s.nameForeignKey(draft, k)
			edit.indexForeignKey(draft, k)
		}
	}
	for i := range draft.Indexes {
		if x := &draft.Indexes[i]; x.Name == "" && findByID(old.Indexes, x.ID, indexID) == nil {
			x.Name = s.newIndexName(draft, x)
		}
	}
	for i := range draft.Checks {
		if k := &draft.Checks[i]; k.Name == "" && findByID(old.Checks, k.ID, checkID) == nil {
			k.Name = s.newCheckName(draft)
		}
	}
	if s.dialect.Settle != nil {
		s.dialect.Settle(draft)
	}
	s.put([]TableChange{{Before: t, After: draft}})
}

// followOrder sorts list as old has it, what is new at the end.
func followOrder[T any](list, old []T, id func(T) ID) {
	at := make(map[ID]int, len(old))
	for i, v := range old {
		at[id(v)] = i - len(old)
	}
	slices.SortStableFunc(list, func(a, b T) int { return at[id(a)] - at[id(b)] })
}
