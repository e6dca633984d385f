package designer

// Apply validates e and makes it. On error nothing has changed. A caller
// that means several edits as one applies them in turn and, should one fail,
// takes the others back with [Schema.Undo], last one first.
//
// The error's reason is not_found, ambiguous_identifier, validation_error
// or, for an edit that lacks what it needs, invalid_request.
func (s *Schema) Apply(e Edit) (Change, *Error) {
	if e.Table.Schema == "" && e.Table.ID == "" {
		e.Table.Schema = s.defaultSchema // in the description too: it outlives the caller's context
	}
	t := &tx{s: s}
	if err := t.edit(e); err != nil {
		return Change{}, err
	}
	change := Change{Description: Describe(e), Tables: []TableChange{}}
	for _, c := range t.list {
		if c.After != nil && s.dialect.Settle != nil {
			s.dialect.Settle(c.After)
		}
		if c.Before == nil || c.After == nil || !sameTable(c.Before, c.After) {
			change.Tables = append(change.Tables, c)
		}
	}
	s.put(change.Tables)
	return change, nil
}

// tx collects what one edit makes of the tables it touches. Nothing reaches
// the schema before the whole edit is known to be valid.
type tx struct {
	s    *Schema
	list []TableChange
}

func (t *tx) edit(e Edit) *Error {
	if e.Op == AddTable {
		return t.addTable(e)
	}
	table, err := t.s.Table(e.Table)
	if err != nil {
		return err.at("table")
	}
	switch e.Op {
	case DropTable:
		return t.dropTable(table)
	case SetTable:
		return t.setTable(table, e.SetTable).within("set")
	case AddColumn:
		return t.addColumn(table, e.Column).within("column")
	case DropColumn:
		return t.dropColumn(table, e.ColumnRef)
	case SetColumn:
		return t.setColumn(table, e.ColumnRef, e.SetColumn)
	case AddForeignKey:
		return t.addForeignKey(table, e.ForeignKey).within("foreignKey")
	case DropForeignKey:
		return t.dropForeignKey(table, e.ForeignKeyRef)
	case SetForeignKey:
		return t.setForeignKey(table, e.ForeignKeyRef, e.SetForeignKey)
	case AddIndex:
		return t.addIndex(table, e.Index).within("index")
	case SetIndex:
		return t.setIndex(table, e.IndexRef, e.SetIndex)
	case DropIndex:
		return t.dropIndex(table, e.IndexRef)
	case AddCheck:
		return t.addCheck(table, e.Check).within("check")
	case DropCheck:
		return t.dropCheck(table, e.CheckRef)
	}
	return unknownOp(string(e.Op))
}

// table returns the table as the edit has it so far, nil where it is gone.
func (t *tx) table(id ID) *Table {
	for _, c := range t.list {
		if c.ID() == id {
			return c.After
		}
	}
	return t.s.ByID(id)
}

// draft returns the copy of the table that the edit may write to.
func (t *tx) draft(table *Table) *Table {
	for _, c := range t.list {
		if c.ID() == table.ID {
			return c.After
		}
	}
	c := table.clone()
	t.list = append(t.list, TableChange{Before: table, After: c})
	return c
}
