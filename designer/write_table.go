package designer

func (o addTable) write(t *tx) {
	table := &Table{ID: o.id, Schema: o.schema.name, Name: o.name, Columns: []Column{}}
	set(&table.Comment, o.comment)
	t.edited = append(t.edited, TableChange{After: table})
	for _, c := range o.columns {
		t.appendColumn(table, c)
	}
	t.writeUnique(table, o.columns...)
}

// write drops the table and the foreign keys of others that point at it.
func (o dropTable) write(t *tx) {
	t.edited = append(t.edited, TableChange{Before: o.table})
	for _, from := range t.s.Incoming(o.table.ID) {
		if from.ID != o.table.ID {
			draft := t.draft(from)
			draft.ForeignKeys = keep(draft.ForeignKeys, func(k ForeignKey) bool { return k.RefTable != o.table.ID })
		}
	}
}

func (o setTable) write(t *tx) {
	draft := t.draft(o.table)
	set(&draft.Comment, o.comment)
	if o.schema != nil {
		draft.Schema = o.schema.name
	}
	if o.name != nil && *o.name != o.table.Name {
		draft.Name = *o.name
		t.s.dialect.renameIn(draft, tableRename(o.table.Name, draft.Name))
	}
}
