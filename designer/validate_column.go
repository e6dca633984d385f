package designer

import "slices"

// checkTexts verifies the SQL text that spec gives.
func (d *Dialect) checkTexts(c Column, spec ColumnSpec) *Error {
	if v := spec.DefaultValue; v != nil && *v != "" {
		if err := d.checkExpression("defaultValue of column "+quote(c.Name), *v); err != nil {
			return err.at("defaultValue")
		}
	}
	computed := c.IsComputed
	set(&computed, spec.IsComputed)
	if v := spec.ComputedFormula; v != nil && *v != "" && !computed {
		return invalid("Column %s has a computedFormula but is not computed: set isComputed", quote(c.Name)).at("isComputed")
	}
	if v := spec.Collation; v != nil && *v != "" {
		return d.checkName("Collation", *v).at("collation")
	}
	return nil
}

// checkNullable makes a column that becomes part of the key or an identity
// not nullable, unless the caller says that it shall be: then it refuses. A
// key column that is nullable in the database may stay so. old is nil for a
// new column.
func checkNullable(draft *Table, c, old *Column, wasKey bool, spec ColumnSpec) *Error {
	key := draft.inKey(c.ID)
	becomes := old == nil || key && !wasKey || c.IsIdentity && !old.IsIdentity
	wanted := spec.IsNullable != nil && *spec.IsNullable
	switch {
	case !key && !c.IsIdentity, !becomes && c.IsNullable == old.IsNullable:
		return nil
	case wanted && key:
		return invalid("Column %s is part of the primary key and cannot be nullable", quote(c.Name))
	case wanted:
		return invalid("Column %s is an identity column and cannot be nullable", quote(c.Name))
	}
	c.IsNullable = false
	return nil
}

func (d *Dialect) checkIdentity(draft *Table, c Column) *Error {
	if !c.IsIdentity {
		return nil
	}
	if info, known := d.Type(c.DataType); known && !info.Identity {
		return &Error{Reason: ValidationError, Message: "Column " + quote(c.Name) + ": data type " + quote(c.DataType) + " cannot be an identity column",
			Hints: &Hints{AllowedDataTypeSample: d.identityTypes()}, Field: "isIdentity"}
	}
	if c.DefaultValue != "" {
		return invalid("Column %s is an identity column and cannot have a default value", quote(c.Name)).at("defaultValue")
	}
	for _, o := range draft.Columns {
		if o.ID != c.ID && o.IsIdentity {
			return invalid("Table %s already has the identity column %s: a table has at most one", draft.quoted(), quote(o.Name)).at("isIdentity")
		}
	}
	return nil
}

// checkSeed verifies that the database can keep where an identity column
// begins and how it goes on.
func (d *Dialect) checkSeed(c Column, old *Column) *Error {
	same := old != nil && old.IdentitySeed == c.IdentitySeed && old.IdentityIncrement == c.IdentityIncrement
	if !d.FixedIdentity || !c.IsIdentity || same || c.IdentitySeed == 1 && c.IdentityIncrement == 1 {
		return nil
	}
	return invalid("Column %s: an identity column counts from 1 by 1 on %s, which keeps no identitySeed or identityIncrement: leave them out",
		quote(c.Name), d.Title).at("identitySeed")
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
		return invalid("Column %s is computed and cannot be an identity column", quote(c.Name)).at("isIdentity")
	case c.DefaultValue != "":
		return invalid("Column %s is computed and cannot have a default value", quote(c.Name)).at("defaultValue")
	}
	return d.checkExpression("computedFormula of column "+quote(c.Name), c.ComputedFormula).at("computedFormula")
}

// checkKind verifies what an identity or computed column has to be. old is
// nil for a new column; what the database had so before stops no other edit.
func (d *Dialect) checkKind(draft *Table, c Column, old *Column) *Error {
	if err := d.checkSeed(c, old); err != nil {
		return err
	}
	if old != nil && sameKind(c, *old) {
		return nil
	}
	if old != nil && old.IsComputed && !c.IsComputed && c.DataType == "" {
		return badRequest(nil, "Column %s needs a dataType", quote(c.Name)).at("dataType")
	}
	if err := d.checkIdentity(draft, c); err != nil {
		return err
	}
	return d.checkComputed(c)
}

// sameKind reports whether everything that checkKind looks at is equal.
func sameKind(a, b Column) bool {
	return a.IsComputed == b.IsComputed && a.ComputedFormula == b.ComputedFormula &&
		a.IsIdentity == b.IsIdentity && a.DefaultValue == b.DefaultValue && a.DataType == b.DataType
}

// checkRetype refuses another type for a column that foreign keys use.
func (t *tx) checkRetype(draft *Table, old, c Column) *Error {
	if t.s.dialect.sameType(old.DataType, c.DataType) && old.MaxLength == c.MaxLength &&
		old.Precision == c.Precision && old.Scale == c.Scale {
		return nil
	}
	if keys := t.keysOn(draft, c.ID); len(keys) > 0 {
		return invalid("Column %s cannot change its type: foreign key %s uses it; drop the key first", quote(c.Name), listNames(keys))
	}
	return nil
}

// keysOn lists the foreign keys that map from or to a column of table, those
// of other tables with the table's name.
func (t *tx) keysOn(table *Table, id ID) []string {
	var names []string
	for _, k := range table.ForeignKeys {
		if k.uses(id) || k.RefTable == table.ID && k.refersTo(id) {
			names = append(names, k.label())
		}
	}
	var others []string
	for fromID := range t.s.incoming[table.ID] { // unsorted: there may be thousands
		from := t.s.ByID(fromID)
		for _, k := range from.ForeignKeys {
			if fromID != table.ID && k.RefTable == table.ID && k.refersTo(id) {
				others = append(others, from.fullName()+"."+k.label())
			}
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

// usersOf lists the indexes, checks and computed columns that use a column.
func (d *Dialect) usersOf(t *Table, c Column) []string {
	var names []string
	for _, x := range t.Indexes {
		used := d.mentions(x.Where, c.Name) || slices.Contains(x.Include, c.ID)
		for _, p := range x.Parts {
			used = used || p.Column == c.ID || d.mentions(p.Expression, c.Name)
		}
		if used {
			names = append(names, "index "+label(x.Name, x.ID))
		}
	}
	for _, k := range t.Checks {
		if d.mentions(k.Expression, c.Name) {
			names = append(names, "check "+label(k.Name, k.ID))
		}
	}
	for _, o := range t.Columns {
		switch {
		case o.ID == c.ID:
		case d.mentions(o.ComputedFormula, c.Name):
			names = append(names, "computed column "+clip(o.Name))
		case d.DefaultsUseColumns && d.mentions(o.DefaultValue, c.Name):
			names = append(names, "default value of column "+clip(o.Name))
		case slices.ContainsFunc(d.ColumnTexts, func(key string) bool { return d.mentions(o.Options[key], c.Name) }):
			names = append(names, "column "+clip(o.Name))
		}
	}
	return names
}
