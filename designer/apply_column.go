package designer

import "strings"

func (t *tx) addColumn(table *Table, spec ColumnSpec) *Error {
	draft := t.draft(table)
	if err := t.appendColumn(draft, spec); err != nil {
		return err
	}
	t.restoreForeignKeyIndexes(table, draft)
	return t.keepKeyUsers(table, draft)
}

// appendColumn adds a new column to a draft.
func (t *tx) appendColumn(draft *Table, spec ColumnSpec) *Error {
	if spec.Name == nil {
		return badRequest(nil, "column needs a name").at("name")
	}
	if err := t.checkColumnName(draft, *spec.Name, ""); err != nil {
		return err.at("name")
	}
	computed := spec.IsComputed != nil && *spec.IsComputed
	if (spec.DataType == nil || strings.TrimSpace(*spec.DataType) == "") && (!computed || t.s.dialect.StoredFormulas) {
		return badRequest(nil, "Column %s needs a dataType", quote(*spec.Name)).at("dataType")
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
		return err.at("column")
	}
	return t.changeColumn(table, old, spec).within("set")
}

func (t *tx) changeColumn(table *Table, old *Column, spec ColumnSpec) *Error {
	draft := t.draft(table)
	c := draft.column(old.ID)
	if spec.Name != nil && *spec.Name != old.Name {
		if err := t.checkColumnName(draft, *spec.Name, old.ID); err != nil {
			return err.at("name")
		}
		c.Name = *spec.Name
		t.s.dialect.renameIn(draft, columnRename(old.Name, c.Name))
	}
	if err := t.fillColumn(draft, c, old, spec); err != nil {
		return err
	}
	if err := t.checkRetype(draft, *old, *c); err != nil {
		return err.at("dataType")
	}
	if err := checkActionsOf(draft, *old, *c); err != nil {
		return err
	}
	t.restoreForeignKeyIndexes(table, draft)
	return t.keepKeyUsers(table, draft)
}

// fillColumn applies spec to c, a column of draft; old is nil for a new one.
func (t *tx) fillColumn(draft *Table, c, old *Column, spec ColumnSpec) *Error {
	d := t.s.dialect
	if err := d.checkTexts(*c, spec); err != nil {
		return err
	}
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
	wasKey := draft.inKey(c.ID)
	if spec.IsPrimaryKey != nil {
		draft.setKey(c.ID, *spec.IsPrimaryKey)
	}
	c.ComputedPersisted = c.ComputedPersisted || d.StoredFormulas
	normalize(c)
	d.forgetDefault(c)
	if c.IsComputed && d.DerivesComputed {
		c.Options = nil
	}
	if c.IsIdentity && spec.IdentitySeed != nil && spec.IdentityIncrement == nil {
		c.IdentitySeed = *spec.IdentitySeed // 0 is a seed, unless the increment beside it is 0 too
	}
	d.forgetCollation(c, old, spec)
	if err := checkNullable(draft, c, old, wasKey, spec); err != nil {
		return err.at("isNullable")
	}
	return d.checkKind(draft, *c, old)
}

// forgetDefault takes what the options say of a default out of a column that
// has none.
func (d *Dialect) forgetDefault(c *Column) {
	if c.DefaultValue != "" {
		return
	}
	dropOptions(c, d.DefaultOptions)
}

// forgetCollation takes the collation off a column whose new type is of
// another family, unless the edit gives one.
func (d *Dialect) forgetCollation(c, old *Column, spec ColumnSpec) {
	if old == nil || spec.Collation != nil || d.sameType(c.DataType, old.DataType) {
		return
	}
	was, knownBefore := d.Type(old.DataType)
	is, known := d.Type(c.DataType)
	if !known || !knownBefore || was.Family != is.Family {
		c.Collation = ""
	}
}

// dropOptions writes to the options of a draft.
func dropOptions(c *Column, keys []string) {
	for _, k := range keys {
		delete(c.Options, k)
	}
	if len(c.Options) == 0 {
		c.Options = nil
	}
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

func (t *tx) dropColumn(table *Table, ref ObjectRef) *Error {
	c, err := table.Column(ref)
	if err != nil {
		return err.at("column")
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
	t.restoreForeignKeyIndexes(table, draft)
	return t.keepKeyUsers(table, draft).blame("column")
}

// keepKeyUsers refuses a change of the table's keys that leaves without one
// what needs it: an identity column, or a foreign key that refers to it.
func (t *tx) keepKeyUsers(before, draft *Table) *Error {
	if err := t.keepIdentityKey(before, draft); err != nil {
		return err
	}
	return t.keepReferencedKeys(before, draft).at("isPrimaryKey")
}
