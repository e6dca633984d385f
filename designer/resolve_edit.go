package designer

// operation is an edit after its names have been looked up, a small struct for
// each [Op]. Its two steps follow one another: write makes the copies of the
// tables as the edit wants them and cannot fail, check reads them and says
// whether they may be so.
//
// An operation keeps what was looked up in vain, beside the object that would
// be there, for check to report in its turn: errors come in the order in which
// an edit has its members.
type operation interface {
	write(t *tx)
	check(r rules) *Error
}

// resolve looks up what an edit names. It fails where the table, or the part
// of it that the edit is about, is not to be found.
func (s *Schema) resolve(e Edit) (operation, *Error) {
	if e.Op == AddTable {
		return s.resolveAddTable(e), nil
	}
	if e.Op.IsOfType() {
		return s.resolveType(e)
	}
	t, err := s.Table(e.Table)
	if err != nil {
		return nil, err.At("table")
	}
	switch e.Op {
	case DropTable:
		return dropTable{t}, nil
	case SetTable:
		return s.resolveSetTable(t, e.SetTable, e.CreateSchema), nil
	case AddColumn:
		return addColumn{t, s.resolveNewColumn(e.Column)}, nil
	case SetColumn, DropColumn:
		return s.resolveColumn(t, e)
	case AddForeignKey:
		return addForeignKey{t, s.resolveForeignKey(t, ForeignKey{ID: s.newID(), OnDelete: NoAction, OnUpdate: NoAction}, e.ForeignKey)}, nil
	case SetForeignKey, DropForeignKey:
		return s.resolveForeignKeyOf(t, e)
	case AddIndex:
		return addIndex{t, s.dialect.resolveIndex(t, Index{ID: s.newID()}, e.Index)}, nil
	case SetIndex, DropIndex:
		return s.resolveIndexOf(t, e)
	case AddCheck:
		return addCheck{t, s.newID(), e.Check}, nil
	case DropCheck:
		return resolveCheckOf(t, e)
	}
	return nil, UnknownOp(e.Op)
}

// The operations on tables.
type (
	addTable struct {
		id      ID
		schema  schemaRequest
		name    string
		comment *string
		columns []columnRequest
	}
	dropTable struct{ table *Table }
	setTable  struct {
		table   *Table
		schema  *schemaRequest // nil: it stays
		name    *string
		comment *string
	}
)

// schemaRequest is the schema that a table is to be in.
type schemaRequest struct {
	name  string // as the database spells it, where it is known
	known bool
	make  bool // the edit says that it may be new
}

func (s *Schema) resolveAddTable(e Edit) addTable {
	o := addTable{id: s.newID(), schema: s.resolveSchema(e.Table.Schema, e.CreateSchema), name: e.Table.Name, comment: e.Comment}
	for _, spec := range e.InitialColumns {
		o.columns = append(o.columns, s.resolveNewColumn(spec))
	}
	return o
}

func (s *Schema) resolveSetTable(t *Table, set TableSet, makeSchema bool) setTable {
	o := setTable{table: t, name: set.Name, comment: set.Comment}
	if set.Schema != nil {
		r := s.resolveSchema(*set.Schema, makeSchema)
		o.schema = &r
	}
	return o
}

func (s *Schema) resolveSchema(name string, makeNew bool) schemaRequest {
	if name == "" {
		return schemaRequest{name: s.defaultSchema, known: true}
	}
	if known, ok := s.knownSchema(name); ok {
		return schemaRequest{name: known, known: true}
	}
	return schemaRequest{name: name, make: makeNew}
}

// The operations on checks.
type (
	addCheck struct {
		table *Table
		id    ID
		spec  CheckSpec
	}
	dropCheck struct {
		table *Table
		id    ID
	}
)

func resolveCheckOf(t *Table, e Edit) (operation, *Error) {
	i, err := t.checkAt(e.CheckRef)
	if err != nil {
		return nil, err.At("check")
	}
	return dropCheck{t, t.Checks[i].ID}, nil
}
