package designer

// writeUnique adds or drops the keys that make columns unique, as their
// requests say. It follows what they say of the primary key: a column that
// is the whole of it is unique already.
func (t *tx) writeUnique(draft *Table, requests ...columnRequest) {
	for _, q := range requests {
		switch want := q.spec.IsUnique; {
		case want == nil:
		case *want:
			t.addUnique(draft, *draft.ColumnByID(q.id))
		default:
			draft.Indexes = keep(draft.Indexes, func(x Index) bool { return !x.onlyKeys(q.id) })
		}
	}
}

func (t *tx) addUnique(draft *Table, c Column) {
	if draft.isWholeKey(c.ID) || draft.IsUnique(c.ID) {
		return
	}
	x := Index{ID: t.s.newID(), Unique: true, Constraint: !t.s.dialect.Indexes.UniqueIndexes, Parts: []IndexKey{{Column: c.ID}}}
	x.Name = t.s.freeIndexName(draft, "UQ_"+draft.Name+"_"+c.Name)
	draft.Indexes = append(draft.Indexes, x)
}
