package designer

import (
	"slices"
	"strings"
)

// checkForeignKey verifies k, a key of draft, as far as it differs from old,
// the zero value for a new key: what the database had before, such as columns
// that refer to no key, does not stop other edits.
func (t *tx) checkForeignKey(draft *Table, k, old ForeignKey) *Error {
	moved := k.RefTable != old.RefTable || !slices.Equal(k.Mappings, old.Mappings)
	acts := k.OnDelete != old.OnDelete || k.OnUpdate != old.OnUpdate
	target := t.table(k.RefTable) // nil: dangling, as the database has it
	if moved && target != nil {
		if err := t.checkMappings(draft, target, k); err != nil {
			return err.orAt("mappings")
		}
	}
	if moved || acts {
		if err := t.s.dialect.checkActions(draft, k); err != nil {
			return err
		}
		if target != nil && t.s.dialect.RefuseCascades {
			if !cascades(k.OnDelete) {
				return t.checkCascades(draft, k).at("onUpdateAction")
			}
			return t.checkCascades(draft, k).at("onDeleteAction")
		}
	}
	return nil
}

// checkMappings verifies the columns that k pairs.
func (t *tx) checkMappings(draft, target *Table, k ForeignKey) *Error {
	if err := checkMappingsOnce(draft, target, k); err != nil {
		return err
	}
	refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
	if !target.hasKey(refs) {
		return invalid("Referenced columns %s are not, as a whole, a primary or unique key of table %s",
			listNames(mapEach(namesOf(columnNames(target), refs), clip)), target.quoted())
	}
	for i, m := range k.Mappings {
		a, b := draft.column(m.Column), target.column(m.RefColumn)
		if !t.s.dialect.pairable(*a, *b) {
			return invalid("Column %s (%s) cannot refer to %s (%s): the types do not match",
				quote(a.Name), clip(a.DataType), quote(target.Name+"."+b.Name), clip(b.DataType)).at(item("mappings", i))
		}
	}
	return nil
}

func checkMappingsOnce(draft, target *Table, k ForeignKey) *Error {
	from, to := map[ID]bool{}, map[ID]bool{}
	for i, m := range k.Mappings {
		if from[m.Column] {
			return invalid("Foreign key maps column %s twice: each column goes into one mapping", quote(draft.column(m.Column).Name)).at("column").at(item("mappings", i))
		}
		if to[m.RefColumn] {
			return invalid("Foreign key maps to column %s twice: each column goes into one mapping", quote(target.column(m.RefColumn).Name)).at("referencedColumn").at(item("mappings", i))
		}
		from[m.Column], to[m.RefColumn] = true, true
	}
	return nil
}

// hasKey reports whether the columns, in any order, are the primary key or a
// whole unique key of t.
func (t *Table) hasKey(columns []ID) bool {
	same := func(key []ID) bool {
		return len(key) == len(columns) && !slices.ContainsFunc(key, func(id ID) bool { return !slices.Contains(columns, id) })
	}
	if t.PrimaryKey != nil && same(t.PrimaryKey.Columns) {
		return true
	}
	for _, x := range t.Indexes {
		if x.Unique && x.Where == "" && same(mapEach(x.Parts, func(p IndexKey) ID { return p.Column })) {
			return true
		}
	}
	return false
}

// pairable reports whether a foreign key may pair columns of these types. What
// the dialect does not know is left to the database.
func (d *Dialect) pairable(a, b Column) bool {
	if d.SameFamily != nil {
		return d.SameFamily(a, b)
	}
	x, known := d.Type(a.DataType)
	y, both := d.Type(b.DataType)
	return !known || !both || x.Family == "" || y.Family == "" || x.Family == y.Family
}

// actionMembers are a foreign key's actions as an edit has them.
var actionMembers = [2]string{"onDeleteAction", "onUpdateAction"}

// checkActions verifies that the dialect has k's actions and that the
// columns can take what they do.
func (d *Dialect) checkActions(draft *Table, k ForeignKey) *Error {
	for i, a := range []Action{k.OnDelete, k.OnUpdate} {
		member := actionMembers[i]
		if !slices.Contains(d.Actions, a) {
			names := mapEach(d.Actions, func(a Action) string { return string(a) })
			return &Error{Reason: ValidationError, Message: "Foreign key action " + quote(string(a)) + " is not available on " + d.Title + ": use " + strings.Join(names, ", "), Field: member}
		}
		for _, m := range k.Mappings {
			c := draft.column(m.Column)
			if a == SetNull && (!c.IsNullable || draft.inKey(c.ID)) {
				return invalid("Foreign key action set_null needs nullable columns: column %s is not", quote(c.Name)).at(member)
			}
			if a == SetDefault && c.DefaultValue == "" {
				return invalid("Foreign key action set_default needs a default value: column %s has none", quote(c.Name)).at(member)
			}
		}
	}
	return nil
}

// checkActionsOf verifies that a changed column can still take what the
// foreign keys on it do.
func checkActionsOf(draft *Table, old, c Column) *Error {
	for _, k := range draft.ForeignKeys {
		if !k.uses(c.ID) {
			continue
		}
		for _, a := range []Action{k.OnDelete, k.OnUpdate} {
			if a == SetNull && old.IsNullable && !c.IsNullable {
				return invalid("Column %s must stay nullable: foreign key %s sets it to null", quote(c.Name), quote(k.label())).at("isNullable")
			}
			if a == SetDefault && old.DefaultValue != "" && c.DefaultValue == "" {
				return invalid("Column %s must keep a default value: foreign key %s sets it to its default", quote(c.Name), quote(k.label())).at("defaultValue")
			}
		}
	}
	return nil
}

// keepReferencedKeys refuses a change that leaves foreign keys pointing at
// columns that were a key before and are none after. The referring tables
// are looked at only where a key went: a table that thousands refer to is
// edited at the price of any other.
func (t *tx) keepReferencedKeys(before, draft *Table) *Error {
	if before.keepsKeys(draft) {
		return nil // and nobody has to be asked
	}
	var names []string
	for _, from := range t.s.Incoming(before.ID) {
		if from.ID == before.ID {
			from = draft
		}
		for _, k := range from.ForeignKeys {
			refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
			if k.RefTable == before.ID && before.hasKey(refs) && !draft.hasKey(refs) {
				names = append(names, from.fullName()+"."+k.label())
			}
		}
	}
	if len(names) > 0 {
		return invalid("The key of table %s cannot change: foreign key %s refers to it; drop the key first", draft.quoted(), listNames(names))
	}
	return nil
}

// keepsKeys reports whether every key of t is one of after too.
func (t *Table) keepsKeys(after *Table) bool {
	if t.PrimaryKey != nil && !after.hasKey(t.PrimaryKey.Columns) {
		return false
	}
	return !slices.ContainsFunc(t.Indexes, func(x Index) bool {
		columns := mapEach(x.Parts, func(p IndexKey) ID { return p.Column })
		return x.Unique && x.Where == "" && !slices.Contains(columns, "") && !after.hasKey(columns)
	})
}
