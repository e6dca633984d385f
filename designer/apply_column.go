package designer

import "strings"

func (t *tx) addColumn(table *Table, spec ColumnSpec) *Error {
	draft := t.draft(table)
	if err := t.appendColumn(draft, spec); err != nil {
		return err
	}
	return t.keepReferencedKeys(table, draft)
}

// appendColumn adds a new column to a draft.
func (t *tx) appendColumn(draft *Table, spec ColumnSpec) *Error {
	if spec.Name == nil {
		return badRequest(nil, "column needs a name")
	}
	if err := t.checkColumnName(draft, *spec.Name, ""); err != nil {
		return err
	}
	computed := spec.IsComputed != nil && *spec.IsComputed
	if (spec.DataType == nil || strings.TrimSpace(*spec.DataType) == "") && !computed {
		return badRequest(nil, "Column %s needs a dataType", quote(*spec.Name))
	}
	c := Column{ID: t.s.newID(), Name: *spec.Name, IsNullable: true}
	draft.Columns = append(draft.Columns, c)
	return t.fillColumn(draft, &draft.Columns[len(draft.Columns)-1], nil, spec)
}

func (t *tx) checkColumnName(draft *Table, name string, self ID) *Error {
	if err := t.s.dialect.checkName("Column", name); err != nil {
		return err
	}
	for _, c := range draft.Columns {
		if c.ID != self && strings.EqualFold(c.Name, name) {
			return invalid("Column %s already exists in table %s", quote(name), draft.quoted())
		}
	}
	return nil
}

func (t *tx) setColumn(table *Table, ref ObjectRef, spec ColumnSpec) *Error {
	old, err := table.Column(ref)
	if err != nil {
		return err
	}
	draft := t.draft(table)
	c := draft.column(old.ID)
	if spec.Name != nil && *spec.Name != old.Name {
		if err := t.checkColumnName(draft, *spec.Name, old.ID); err != nil {
			return err
		}
		c.Name = *spec.Name
		t.s.dialect.renameIn(draft, columnRename(old.Name, c.Name))
	}
	if err := t.fillColumn(draft, c, old, spec); err != nil {
		return err
	}
	if err := t.checkRetype(draft, *old, *c); err != nil {
		return err
	}
	if err := t.checkActionsOf(draft, *c); err != nil {
		return err
	}
	return t.keepReferencedKeys(table, draft)
}

// fillColumn applies spec to c, a column of draft; old is nil for a new one.
func (t *tx) fillColumn(draft *Table, c, old *Column, spec ColumnSpec) *Error {
	d := t.s.dialect
	if err := d.setType(c, old, withoutEmptyType(spec)); err != nil {
		return err
	}
	set(&c.IsIdentity, spec.IsIdentity)
	set(&c.IdentitySeed, spec.IdentitySeed)
	set(&c.IdentityIncrement, spec.IdentityIncrement)
	set(&c.DefaultValue, spec.DefaultValue)
	set(&c.IsComputed, spec.IsComputed)
	set(&c.ComputedFormula, spec.ComputedFormula)
	set(&c.ComputedPersisted, spec.ComputedPersisted)
	set(&c.Collation, spec.Collation)
	set(&c.IsNullable, spec.IsNullable)
	if spec.IsPrimaryKey != nil {
		draft.setKey(c.ID, *spec.IsPrimaryKey)
	}
	normalize(c)
	if err := checkNullable(draft, c, spec); err != nil {
		return err
	}
	if err := d.checkIdentity(draft, *c); err != nil {
		return err
	}
	return d.checkComputed(*c)
}

// withoutEmptyType takes an empty data type, which a computed column may
// have, as none given.
func withoutEmptyType(spec ColumnSpec) ColumnSpec {
	if spec.DataType != nil && strings.TrimSpace(*spec.DataType) == "" {
		spec.DataType = nil
	}
	return spec
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// checkNullable makes key and identity columns not nullable, unless the
// caller says that they shall be: then it refuses.
func checkNullable(draft *Table, c *Column, spec ColumnSpec) *Error {
	wanted := spec.IsNullable != nil && *spec.IsNullable
	switch {
	case !draft.inKey(c.ID) && !c.IsIdentity:
		return nil
	case wanted && draft.inKey(c.ID):
		return invalid("Column %s is part of the primary key and cannot be nullable", quote(c.Name))
	case wanted:
		return invalid("Column %s is an identity column and cannot be nullable", quote(c.Name))
	}
	if spec.IsPrimaryKey != nil || spec.IsIdentity != nil {
		c.IsNullable = false // else as the database has it
	}
	return nil
}

func (d *Dialect) checkIdentity(draft *Table, c Column) *Error {
	if !c.IsIdentity {
		return nil
	}
	if info, known := d.Type(c.DataType); known && !info.Identity {
		return &Error{Reason: ValidationError, Message: "Column " + quote(c.Name) + ": data type " + quote(c.DataType) + " cannot be an identity column",
			Hints: &Hints{AllowedDataTypeSample: d.identityTypes()}}
	}
	if c.DefaultValue != "" {
		return invalid("Column %s is an identity column and cannot have a default value", quote(c.Name))
	}
	for _, o := range draft.Columns {
		if o.ID != c.ID && o.IsIdentity {
			return invalid("Table %s already has the identity column %s: a table has at most one", draft.quoted(), quote(o.Name))
		}
	}
	return nil
}

func (d *Dialect) identityTypes() []string {
	var names []string
	for _, t := range d.Types {
		if t.Identity && len(names) < MaxHints {
			names = append(names, t.Name)
		}
	}
	return names
}

func (d *Dialect) checkComputed(c Column) *Error {
	switch {
	case !c.IsComputed:
		return nil
	case c.IsIdentity:
		return invalid("Column %s is computed and cannot be an identity column", quote(c.Name))
	case c.DefaultValue != "":
		return invalid("Column %s is computed and cannot have a default value", quote(c.Name))
	}
	return d.checkExpression("computedFormula of column "+quote(c.Name), c.ComputedFormula)
}

// checkRetype refuses another type for a column that foreign keys use.
func (t *tx) checkRetype(draft *Table, old, c Column) *Error {
	if strings.EqualFold(old.DataType, c.DataType) && old.MaxLength == c.MaxLength &&
		old.Precision == c.Precision && old.Scale == c.Scale {
		return nil
	}
	if keys := t.keysOn(draft, c.ID); len(keys) > 0 {
		return invalid("Column %s cannot change its type: foreign key %s uses it; drop the key first", quote(c.Name), listNames(keys))
	}
	return nil
}

func (t *tx) dropColumn(table *Table, ref ObjectRef) *Error {
	c, err := table.Column(ref)
	if err != nil {
		return err
	}
	if len(table.Columns) == 1 {
		return invalid("Column %s is the last column of table %s: drop the table instead", quote(c.Name), table.quoted())
	}
	if keys := t.keysOn(table, c.ID); len(keys) > 0 {
		return invalid("Column %s cannot be dropped: foreign key %s uses it; drop the key first", quote(c.Name), listNames(keys))
	}
	if users := t.s.dialect.usersOf(table, *c); len(users) > 0 {
		return invalid("Column %s cannot be dropped: %s uses it; change or drop that first", quote(c.Name), listNames(users))
	}
	draft := t.draft(table)
	draft.setKey(c.ID, false)
	draft.Columns = keep(draft.Columns, func(o Column) bool { return o.ID != c.ID })
	return t.keepReferencedKeys(table, draft)
}

// keysOn lists the foreign keys that map from or to a column of table, those
// of other tables with the table's name.
func (t *tx) keysOn(table *Table, id ID) []string {
	var names []string
	for _, k := range table.ForeignKeys {
		if k.uses(id) || k.RefTable == table.ID && k.refersTo(id) {
			names = append(names, k.Name)
		}
	}
	for _, from := range t.s.Incoming(table.ID) {
		for _, k := range from.ForeignKeys {
			if from.ID != table.ID && k.RefTable == table.ID && k.refersTo(id) {
				names = append(names, from.fullName()+"."+k.Name)
			}
		}
	}
	return names
}

// usersOf lists the indexes, checks and computed columns that use a column.
func (d *Dialect) usersOf(t *Table, c Column) []string {
	var names []string
	for _, x := range t.Indexes {
		used := d.mentions(x.Where, c.Name)
		for _, p := range x.Parts {
			used = used || p.Column == c.ID || d.mentions(p.Expression, c.Name)
		}
		if used {
			names = append(names, "index "+x.Name)
		}
	}
	for _, k := range t.Checks {
		if d.mentions(k.Expression, c.Name) {
			names = append(names, "check "+k.Name)
		}
	}
	for _, o := range t.Columns {
		if o.ID != c.ID && d.mentions(o.ComputedFormula, c.Name) {
			names = append(names, "computed column "+o.Name)
		}
	}
	return names
}
