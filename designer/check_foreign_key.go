package designer

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

func (o addForeignKey) check(r rules) *Error { return r.checkAddForeignKey(o).within("foreignKey") }

func (r rules) checkAddForeignKey(o addForeignKey) *Error {
	switch {
	case o.key.spec.ReferencedTable == nil:
		return badRequest(nil, "foreignKey needs referencedTable").At("referencedTable")
	case len(o.key.spec.Mappings) == 0:
		return invalid("Foreign key needs at least one mapping: give mappings").At("mappings")
	}
	if err := r.checkForeignKeyRequest(o.table, o.key); err != nil {
		return err
	}
	return r.checkForeignKey(r.table(o.table.ID), o.key.key, ForeignKey{})
}

func (o setForeignKey) check(r rules) *Error { return r.checkSetForeignKey(o).within("set") }

func (r rules) checkSetForeignKey(o setForeignKey) *Error {
	if m := o.key.spec.Mappings; m != nil && len(m) == 0 {
		return invalid("Foreign key %s needs at least one mapping: give mappings", clip.Quote(o.key.old.label())).At("mappings")
	}
	if err := r.checkForeignKeyRequest(o.table, o.key); err != nil {
		return err
	}
	return r.checkForeignKey(r.table(o.table.ID), o.key.key, o.key.old)
}

func (o dropForeignKey) check(rules) *Error { return nil }

// checkForeignKeyRequest verifies the name that q gives a key of t, and that
// what it names was found.
func (r rules) checkForeignKeyRequest(t *Table, q foreignKeyRequest) *Error {
	if name := q.key.Name; name != q.old.Name {
		if err := r.s.dialect.checkName("Foreign key", name); err != nil {
			return err.At("name")
		}
		if r.s.taken(foreignKeyName, t, foreignKeyNames(t, q.key.ID), name) {
			return invalid("Foreign key %s already exists in schema %s", clip.Quote(name), clip.Quote(t.Schema)).At("name")
		}
	}
	if q.noTable != nil {
		return q.noTable
	}
	if q.dangling {
		return invalid("Foreign key %s refers to a table that does not exist: give referencedTable", clip.Quote(q.key.label())).At("referencedTable")
	}
	for i, err := range q.noMappings {
		if err != nil {
			return err.At(item("mappings", i))
		}
	}
	return nil
}

// checkForeignKey verifies k, a key of draft, as far as it differs from old,
// the zero value for a new key: what the database had before, such as columns
// that refer to no key, does not stop other edits.
func (r rules) checkForeignKey(draft *Table, k, old ForeignKey) *Error {
	moved := k.RefTable != old.RefTable || !slices.Equal(k.Mappings, old.Mappings)
	acts := k.OnDelete != old.OnDelete || k.OnUpdate != old.OnUpdate
	target := r.table(k.RefTable) // nil: dangling, as the database has it
	if moved && target != nil {
		if err := r.checkMappings(draft, target, k); err != nil {
			return err.orAt("mappings")
		}
	}
	if moved || acts {
		if err := r.s.dialect.checkActions(draft, k); err != nil {
			return err
		}
		if target != nil && r.s.dialect.ForeignKeys.RefuseCascades {
			if !cascades(k.OnDelete) {
				return r.checkCascades(draft, k).At("onUpdateAction")
			}
			return r.checkCascades(draft, k).At("onDeleteAction")
		}
	}
	return nil
}

// checkMappings verifies the columns that k pairs.
func (r rules) checkMappings(draft, target *Table, k ForeignKey) *Error {
	if err := checkMappingsOnce(draft, target, k); err != nil {
		return err
	}
	refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
	if !target.hasKey(refs) {
		return invalid("Referenced columns %s are not, as a whole, a primary or unique key of table %s",
			listNames(mapEach(namesOf(target.ColumnNames(), refs), clip.Name)), target.quoted())
	}
	for i, m := range k.Mappings {
		a, b := draft.ColumnByID(m.Column), target.ColumnByID(m.RefColumn)
		if !r.s.dialect.pairable(*a, *b) {
			return invalid("Column %s (%s) cannot refer to %s (%s): the types do not match",
				clip.Quote(a.Name), clip.Name(a.DataType), clip.Quote(target.Name+"."+b.Name), clip.Name(b.DataType)).At(item("mappings", i))
		}
	}
	return nil
}

func checkMappingsOnce(draft, target *Table, k ForeignKey) *Error {
	from, to := map[ID]bool{}, map[ID]bool{}
	for i, m := range k.Mappings {
		if from[m.Column] {
			return invalid("Foreign key maps column %s twice: each column goes into one mapping", clip.Quote(draft.ColumnByID(m.Column).Name)).At("column").At(item("mappings", i))
		}
		if to[m.RefColumn] {
			return invalid("Foreign key maps to column %s twice: each column goes into one mapping", clip.Quote(target.ColumnByID(m.RefColumn).Name)).At("referencedColumn").At(item("mappings", i))
		}
		from[m.Column], to[m.RefColumn] = true, true
	}
	return nil
}

// pairable reports whether a foreign key may pair columns of these types. What
// the dialect does not know is left to the database.
func (d *Dialect) pairable(a, b Column) bool {
	if d.ForeignKeys.Pairs != nil {
		return d.ForeignKeys.Pairs(a, b)
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
		if !slices.Contains(d.ForeignKeys.Actions, a) {
			names := mapEach(d.ForeignKeys.Actions, func(a Action) string { return string(a) })
			return &Error{Reason: ValidationError, Message: "Foreign key action " + clip.Quote(string(a)) + " is not available on " + d.Title + ": use " + strings.Join(names, ", "), Field: member}
		}
		for _, m := range k.Mappings {
			c := draft.ColumnByID(m.Column)
			if a == SetNull && (!c.IsNullable || draft.inKey(c.ID)) {
				return invalid("Foreign key action set_null needs nullable columns: column %s is not", clip.Quote(c.Name)).At(member)
			}
			if a == SetDefault && c.DefaultValue == "" {
				return invalid("Foreign key action set_default needs a default value: column %s has none", clip.Quote(c.Name)).At(member)
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
				return invalid("Column %s must stay nullable: foreign key %s sets it to null", clip.Quote(c.Name), clip.Quote(k.label())).At("isNullable")
			}
			if a == SetDefault && old.DefaultValue != "" && c.DefaultValue == "" {
				return invalid("Column %s must keep a default value: foreign key %s sets it to its default", clip.Quote(c.Name), clip.Quote(k.label())).At("defaultValue")
			}
		}
	}
	return nil
}
