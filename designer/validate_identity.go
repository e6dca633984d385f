package designer

// keepIdentityKey verifies, on dialects where it must, that an identity column
// is the primary key alone, or leads a key. before is nil for a new table; a
// table that a database already holds otherwise may stay so.
func (t *tx) keepIdentityKey(before, draft *Table) *Error {
	d := t.s.dialect
	if d.IdentityIsKey && (before == nil || before.identityBeside() == nil) {
		if c := draft.identityBeside(); c != nil {
			return invalid("Column %s is an identity column: on %s it has to be the primary key, alone", quote(c.Name), d.Title).at("isIdentity")
		}
	}
	if d.IdentityLeadsKey && (before == nil || before.identityBehind() == nil) {
		if c := draft.identityBehind(); c != nil {
			return invalid("Column %s is an identity column: on %s it has to be the first column of the primary key or of an index",
				quote(c.Name), d.Title).at("isIdentity")
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
