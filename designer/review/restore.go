package review

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Before returns the tables as they are now without those of the agent's
// changes that want reports true for; nil for one that was not there. Tables in
// which there is none are left out.
func (n *Net) Before(now *designer.Schema, want func(Key) bool) map[designer.ID]*designer.Table {
	out := map[designer.ID]*designer.Table{}
	for _, k := range n.keys() {
		if !want(k) {
			continue
		}
		t, seen := out[k.Table]
		if !seen {
			t = now.ByID(k.Table)
			if t != nil {
				t = t.Clone()
			}
		}
		out[k.Table] = setBack(t, k, n.before[k])
	}
	return out
}

// setBack makes of t what old says of k. t may be changed, and is nil where the
// table is not there.
func setBack(t *designer.Table, k Key, old *designer.Table) *designer.Table {
	switch {
	case k == (Key{Table: k.Table}):
		if t == nil && old != nil {
			return old.Clone()
		}
		if old == nil {
			return nil
		}
	case t == nil:
	case k.Part == "":
		setTable(t, k.Field, old)
	case k.Field == "":
		setPart(t, k.Part, old)
	default:
		if c := t.ColumnByID(k.Part); c != nil && old != nil {
			setColumn(c, k.Field, old.ColumnByID(k.Part))
		}
	}
	return t
}

func setTable(t *designer.Table, field string, old *designer.Table) {
	if old == nil {
		if field == fieldKey {
			t.PrimaryKey = nil
		}
		return
	}
	old = old.Clone()
	switch field {
	case fieldName:
		t.Name = old.Name
	case fieldSchema:
		t.Schema = old.Schema
	case fieldComment:
		t.Comment = old.Comment
	case fieldOptions:
		t.Options = old.Options
	case fieldKey:
		t.PrimaryKey = old.PrimaryKey
	}
}

func setColumn(c *designer.Column, field string, old *designer.Column) {
	if old == nil {
		return
	}
	switch field {
	case fieldName:
		c.Name = old.Name
	case fieldType:
		c.DataType, c.TypeText, c.MaxLength, c.Precision, c.Scale = old.DataType, old.TypeText, old.MaxLength, old.Precision, old.Scale
		c.Values = slices.Clone(old.Values)
	case fieldNullable:
		c.IsNullable = old.IsNullable
	case fieldDefault:
		c.DefaultValue = old.DefaultValue
	case fieldIdentity:
		c.IsIdentity, c.IdentitySeed, c.IdentityIncrement = old.IsIdentity, old.IdentitySeed, old.IdentityIncrement
	case fieldComputed:
		c.IsComputed, c.ComputedFormula, c.ComputedPersisted = old.IsComputed, old.ComputedFormula, old.ComputedPersisted
	case fieldCollation:
		c.Collation = old.Collation
	case fieldComment:
		c.Comment = old.Comment
	case fieldOptions:
		c.Options = old.Options
	}
}

// setPart puts a part back as it was, in the place that it had.
func setPart(t *designer.Table, id designer.ID, old *designer.Table) {
	was := &designer.Table{}
	if old != nil {
		was = old.Clone()
	}
	t.Columns = withPart(t.Columns, was.Columns, func(c designer.Column) bool { return c.ID == id })
	t.ForeignKeys = withPart(t.ForeignKeys, was.ForeignKeys, func(k designer.ForeignKey) bool { return k.ID == id })
	t.Indexes = withPart(t.Indexes, was.Indexes, func(x designer.Index) bool { return x.ID == id })
	t.Checks = withPart(t.Checks, was.Checks, func(k designer.Check) bool { return k.ID == id })
}

func withPart[T any](list, old []T, is func(T) bool) []T {
	at, before := slices.IndexFunc(list, is), slices.IndexFunc(old, is)
	switch {
	case at >= 0 && before >= 0:
		list[at] = old[before]
	case at >= 0:
		list = slices.Delete(list, at, at+1)
	case before >= 0:
		list = slices.Insert(list, min(before, len(list)), old[before])
	}
	return list
}
