package designer

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

func (o addColumn) check(r rules) *Error {
	draft := r.table(o.table.ID)
	if err := r.checkNewColumn(draft, o.column); err != nil {
		return err.within("column")
	}
	return r.checkKeyUsers(o.table, draft).within("column")
}

// checkNewColumn verifies the last column of t, which r asks for.
func (r rules) checkNewColumn(t *Table, q columnRequest) *Error {
	if q.spec.Name == nil {
		return badRequest(nil, "column needs a name").At("name")
	}
	c := *t.ColumnByID(q.id)
	if err := r.checkColumnName(t, c); err != nil {
		return err.At("name")
	}
	if (q.spec.DataType == nil || strings.TrimSpace(*q.spec.DataType) == "") && (!c.IsComputed || r.s.dialect.Columns.Computed == ComputedStored) {
		return badRequest(nil, "Column %s needs a dataType", clip.Quote(c.Name)).At("dataType")
	}
	return r.s.dialect.checkColumn(t, c, q, false)
}

func (r rules) checkColumnName(t *Table, c Column) *Error {
	if err := r.s.dialect.checkName("Column", c.Name); err != nil {
		return err
	}
	for _, o := range t.Columns {
		if o.ID != c.ID && strings.EqualFold(o.Name, c.Name) {
			return invalid("Column %s already exists in table %s", clip.Quote(c.Name), t.quoted())
		}
	}
	return nil
}

func (o setColumn) check(r rules) *Error {
	draft, old := r.table(o.table.ID), *o.column.old
	return r.checkSetColumn(o, draft, old, *draft.ColumnByID(old.ID)).within("set")
}

func (r rules) checkSetColumn(o setColumn, draft *Table, old, c Column) *Error {
	if c.Name != old.Name {
		if err := r.checkColumnName(draft, c); err != nil {
			return err.At("name")
		}
	}
	if err := r.s.dialect.checkColumn(draft, c, o.column, o.table.inKey(c.ID)); err != nil {
		return err
	}
	if err := r.checkRetype(draft, old, c); err != nil {
		return err.At("dataType")
	}
	if err := checkActionsOf(draft, old, c); err != nil {
		return err
	}
	if err := r.checkNotUnique(o.table, draft, o.column); err != nil {
		return err
	}
	return r.checkKeyUsers(o.table, draft)
}

func (o dropColumn) check(r rules) *Error {
	c := *o.column
	if len(o.table.Columns) == 1 {
		return invalid("Column %s is the last column of table %s: drop the table instead", clip.Quote(c.Name), o.table.quoted())
	}
	if keys := r.keysOn(o.table, c.ID); len(keys) > 0 {
		return invalid("Column %s cannot be dropped: foreign key %s uses it; drop the key first", clip.Quote(c.Name), listNames(keys))
	}
	if users := r.s.dialect.usersOf(o.table, c); len(users) > 0 {
		return invalid("Column %s cannot be dropped: %s uses it; change or drop that first", clip.Quote(c.Name), listNames(users))
	}
	return r.checkKeyUsers(o.table, r.table(o.table.ID)).blame("column")
}

// checkColumn verifies c, a column of t, as far as r asks for it.
func (d *Dialect) checkColumn(t *Table, c Column, q columnRequest, wasKey bool) *Error {
	if err := d.checkTexts(c, q.spec); err != nil {
		return err
	}
	if err := d.checkType(c, q.typ); err != nil {
		return err
	}
	if err := d.checkPlane("The values of column "+clip.Quote(c.Name), strings.Join(q.typ.text.values, "")); err != nil {
		return err.At("dataType")
	}
	if err := checkNullable(t, c, q, wasKey); err != nil {
		return err.At("isNullable")
	}
	return d.checkKind(t, c, q.old)
}

// checkTexts verifies the SQL text that spec gives.
func (d *Dialect) checkTexts(c Column, spec ColumnSpec) *Error {
	if v := spec.DefaultValue; v != nil && *v != "" {
		if err := d.checkExpression("defaultValue of column "+clip.Quote(c.Name), *v); err != nil {
			return err.At("defaultValue")
		}
		if err := d.checkPlane("defaultValue of column "+clip.Quote(c.Name), *v); err != nil {
			return err.At("defaultValue")
		}
	}
	if v := spec.ComputedFormula; v != nil && *v != "" && !c.IsComputed {
		return invalid("Column %s has a computedFormula but is not computed: set isComputed", clip.Quote(c.Name)).At("isComputed")
	}
	if v := spec.Collation; v != nil && *v != "" {
		if err := d.checkName("Collation", *v); err != nil {
			return err.At("collation")
		}
	}
	return d.checkComment("The comment of column "+clip.Quote(c.Name), spec.Comment, d.Comments.Column).At("comment")
}

// checkNullable refuses to make a column nullable that is part of the key or
// an identity. A key column that is nullable in the database may stay so.
func checkNullable(t *Table, c Column, q columnRequest, wasKey bool) *Error {
	switch {
	case !q.nullable() || !q.forbidsNull(t, c, wasKey):
		return nil
	case t.inKey(c.ID):
		return invalid("Column %s is part of the primary key and cannot be nullable", clip.Quote(c.Name))
	}
	return invalid("Column %s is an identity column and cannot be nullable", clip.Quote(c.Name))
}

func (d *Dialect) checkIdentity(t *Table, c Column) *Error {
	if !c.IsIdentity {
		return nil
	}
	if info, known := d.Type(c.DataType); known && !info.Identity {
		return &Error{Reason: ValidationError, Message: "Column " + clip.Quote(c.Name) + ": data type " + clip.Quote(c.DataType) + " cannot be an identity column",
			Hints: &Hints{AllowedDataTypeSample: d.identityTypes()}, Field: "isIdentity"}
	}
	if c.DefaultValue != "" {
		return invalid("Column %s is an identity column and cannot have a default value", clip.Quote(c.Name)).At("defaultValue")
	}
	for _, o := range t.Columns {
		if o.ID != c.ID && o.IsIdentity {
			return invalid("Table %s already has the identity column %s: a table has at most one", t.quoted(), clip.Quote(o.Name)).At("isIdentity")
		}
	}
	return nil
}

// checkSeed verifies that the database can keep where an identity column
// begins and how it continues.
func (d *Dialect) checkSeed(c Column, old *Column) *Error {
	same := old != nil && old.IdentitySeed == c.IdentitySeed && old.IdentityIncrement == c.IdentityIncrement
	if !d.Identity.CountsByOne || !c.IsIdentity || same || c.IdentitySeed == 1 && c.IdentityIncrement == 1 {
		return nil
	}
	return invalid("Column %s: an identity column counts from 1 by 1 on %s, which keeps no identitySeed or identityIncrement: leave them out",
		clip.Quote(c.Name), d.Title).At("identitySeed")
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
		return invalid("Column %s is computed and cannot be an identity column", clip.Quote(c.Name)).At("isIdentity")
	case c.DefaultValue != "":
		return invalid("Column %s is computed and cannot have a default value", clip.Quote(c.Name)).At("defaultValue")
	}
	return d.checkExpression("computedFormula of column "+clip.Quote(c.Name), c.ComputedFormula).At("computedFormula")
}

// checkKind verifies what an identity or computed column has to be. old is
// nil for a new column; what the database had so before stops no other edit.
func (d *Dialect) checkKind(t *Table, c Column, old *Column) *Error {
	if err := d.checkSeed(c, old); err != nil {
		return err
	}
	if old != nil && sameKind(c, *old) {
		return nil
	}
	if old != nil && old.IsComputed && !c.IsComputed && c.DataType == "" {
		return badRequest(nil, "Column %s needs a dataType", clip.Quote(c.Name)).At("dataType")
	}
	if err := d.checkIdentity(t, c); err != nil {
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
func (r rules) checkRetype(draft *Table, old, c Column) *Error {
	if r.s.dialect.sameType(old.DataType, c.DataType) && old.MaxLength == c.MaxLength &&
		old.Precision == c.Precision && old.Scale == c.Scale {
		return nil
	}
	if keys := r.keysOn(draft, c.ID); len(keys) > 0 {
		return invalid("Column %s cannot change its type: foreign key %s uses it; drop the key first", clip.Quote(c.Name), listNames(keys))
	}
	return nil
}

// keysOn lists the foreign keys that map from or to a column of table, those
// of other tables with the table's name.
func (r rules) keysOn(table *Table, id ID) []string {
	var names []string
	for _, k := range table.ForeignKeys {
		if k.uses(id) || k.RefTable == table.ID && k.refersTo(id) {
			names = append(names, k.label())
		}
	}
	var others []string
	for fromID := range r.s.incoming[table.ID] { // unsorted: there may be thousands
		from := r.s.ByID(fromID)
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
			names = append(names, "computed column "+clip.Name(o.Name))
		case d.Columns.DefaultsUseColumns && d.mentions(o.DefaultValue, c.Name):
			names = append(names, "default value of column "+clip.Name(o.Name))
		case slices.ContainsFunc(d.Columns.Texts, func(key string) bool { return d.mentions(o.Options[key], c.Name) }):
			names = append(names, "column "+clip.Name(o.Name))
		}
	}
	return names
}
