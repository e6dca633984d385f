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
	if !t.s.dialect.ForeignKeys.Indexed {
		return
	}
	if target := t.table(k.RefTable); target != nil {
		k.Mappings = target.inKeyOrder(k.Mappings)
	}
	if draft.beginsWith(k.Mappings) {
		return
	}
	x := Index{ID: t.s.newID(), Parts: mapEach(k.Mappings, func(m Mapping) IndexKey { return IndexKey{Column: m.Column} })}
	x.Name = t.s.freeIndexName(draft, k.Name)
	draft.Indexes = append(draft.Indexes, x)
}

// forgetForeignKeyIndex takes the index that came with a foreign key, told by
// its name and columns, away with it, unless something else needs it.
func (t *tx) forgetForeignKeyIndex(before, draft *Table, k ForeignKey) {
	if !t.s.dialect.ForeignKeys.Indexed {
		return
	}
	columns := mapEach(k.Mappings, func(m Mapping) IndexKey { return IndexKey{Column: m.Column} })
	had := draft.Indexes
	draft.Indexes = keep(draft.Indexes, func(x Index) bool {
		return !strings.EqualFold(x.Name, k.Name) || x.Unique || !x.ordinary() || len(x.Options) > 0 || !slices.Equal(x.Parts, columns)
	})
	if t.s.dialect.misplacedIdentity(before, draft) != nil || t.s.dialect.foreignKeyWithoutIndex(before, draft) != nil || len(t.referencesWithoutKey(before, draft)) > 0 {
		draft.Indexes = had
	}
}

// restoreForeignKeyIndexes gives the foreign keys that found their rows by the
// primary key, and no longer do, an index, on dialects whose server insists.
func (t *tx) restoreForeignKeyIndexes(before, draft *Table) {
	for i := range draft.ForeignKeys {
		if k := &draft.ForeignKeys[i]; t.s.dialect.ForeignKeys.Indexed && before.beginsWith(k.Mappings) {
			t.indexForeignKey(draft, k)
		}
	}
}
