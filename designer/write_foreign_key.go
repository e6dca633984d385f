package designer

import "slices"

func (o addForeignKey) write(t *tx) {
	draft, k := t.draft(o.table), o.key.key.clone()
	t.s.nameForeignKey(draft, &k)
	draft.ForeignKeys = append(draft.ForeignKeys, k)
	t.indexForeignKey(draft, &draft.ForeignKeys[len(draft.ForeignKeys)-1])
}

func (o setForeignKey) write(t *tx) {
	draft, old := t.draft(o.table), o.key.old
	k := &draft.ForeignKeys[o.at]
	*k = o.key.key.clone()
	if !slices.Equal(k.Mappings, old.Mappings) || k.RefTable != old.RefTable {
		t.indexForeignKey(draft, k)
	}
}

func (o dropForeignKey) write(t *tx) {
	draft := t.draft(o.table)
	draft.ForeignKeys = keep(draft.ForeignKeys, func(k ForeignKey) bool { return k.ID != o.key.ID })
	t.forgetForeignKeyIndex(o.table, draft, o.key)
}
