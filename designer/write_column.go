package designer

func (o addColumn) write(t *tx) {
	draft := t.draft(o.table)
	t.appendColumn(draft, o.column)
	t.writeUnique(draft, o.column)
	t.restoreForeignKeyIndexes(o.table, draft)
}

// appendColumn adds a new column to a draft.
func (t *tx) appendColumn(draft *Table, q columnRequest) {
	c := Column{ID: q.id, IsNullable: true}
	set(&c.Name, q.spec.Name)
	draft.Columns = append(draft.Columns, c)
	t.s.dialect.writeColumn(draft, &draft.Columns[len(draft.Columns)-1], q)
}

func (o setColumn) write(t *tx) {
	draft := t.draft(o.table)
	c, old := draft.ColumnByID(o.column.id), o.column.old
	if name := o.column.spec.Name; name != nil && *name != old.Name {
		c.Name = *name
		t.s.dialect.renameIn(draft, columnRename(old.Name, c.Name))
	}
	t.s.dialect.writeColumn(draft, c, o.column)
	t.writeUnique(draft, o.column)
	t.restoreForeignKeyIndexes(o.table, draft)
}

func (o dropColumn) write(t *tx) {
	draft := t.draft(o.table)
	draft.setKey(o.column.ID, false)
	draft.Columns = keep(draft.Columns, func(c Column) bool { return c.ID != o.column.ID })
	t.restoreForeignKeyIndexes(o.table, draft)
}

// writeColumn gives c, a column of draft, what q asks for but the name, and
// what follows from it.
func (d *Dialect) writeColumn(draft *Table, c *Column, q columnRequest) {
	d.writeType(c, q.old, q.typ)
	set(&c.IsIdentity, q.spec.IsIdentity)
	set(&c.IdentitySeed, q.spec.IdentitySeed)
	set(&c.IdentityIncrement, q.spec.IdentityIncrement)
	set(&c.DefaultValue, q.spec.DefaultValue)
	set(&c.IsComputed, q.spec.IsComputed)
	if f := q.spec.ComputedFormula; f == nil || !d.sameExpression(c.ComputedFormula, *f) {
		set(&c.ComputedFormula, f) // another spelling is nothing to publish
	}
	set(&c.ComputedPersisted, q.spec.ComputedPersisted)
	set(&c.Collation, q.spec.Collation)
	set(&c.Comment, q.spec.Comment)
	set(&c.IsNullable, q.spec.IsNullable)
	wasKey := draft.inKey(c.ID)
	if q.spec.IsPrimaryKey != nil {
		draft.setKey(c.ID, *q.spec.IsPrimaryKey)
	}
	d.completeColumn(c, q)
	if q.forbidsNull(draft, *c, wasKey) && !q.nullable() {
		c.IsNullable = false
	}
}
