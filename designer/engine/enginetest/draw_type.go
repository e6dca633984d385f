package enginetest

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// hasTypes reports whether the dialect has types that edits make.
func (d *editGenerator) hasTypes() bool { return d.makes(designer.AddType) }

// namedType draws a type that the database has already: a value of one that
// the round adds could be used in the same publish only by chance.
func (d *editGenerator) namedType() (*designer.NamedType, bool) {
	if !d.hasTypes() {
		return nil, false
	}
	return pick(d, filter(d.design.NamedTypes(), func(t *designer.NamedType) bool { return t.Domain == nil }))
}

func typeRef(t *designer.NamedType) designer.TableRef {
	return designer.TableRef{Schema: t.Schema, Name: t.Name, ID: t.ID}
}

func (d *editGenerator) addType() []designer.Edit {
	if !d.hasTypes() {
		return nil
	}
	spec := designer.TypeSpec{Name: d.name("mood")}
	if d.oneIn(3) {
		spec.Schema = d.Schema
	}
	for range 2 + d.random.IntN(4) {
		spec.Values = append(spec.Values, d.name("v"))
	}
	if d.oneIn(3) {
		spec.Comment = new(d.name("comment "))
	}
	return []designer.Edit{{Op: designer.AddType, Type: spec}}
}

// addTyped adds a column of an enum.
func (d *editGenerator) addTyped() []designer.Edit {
	t, ok := d.anyTable()
	of, some := d.namedType()
	if !ok || !some {
		return nil
	}
	name := of.Schema + "." + of.Name
	spec := designer.ColumnSpec{Name: new(d.name("t")), DataType: &name}
	if d.oneIn(3) && d.base.NamedType(of.ID) != nil {
		v, _ := pick(d, of.Values)
		spec.DefaultValue, spec.IsNullable = new(d.design.Dialect().StringLiteral(v.Name)), new(d.oneIn(2))
	}
	return []designer.Edit{{Op: designer.AddColumn, Table: refTo(t), Column: spec}}
}

// setType changes a type in one way.
func (d *editGenerator) setType() []designer.Edit {
	t, ok := d.namedType()
	if !ok {
		return nil
	}
	var set designer.TypeSet
	switch names := t.ValueNames(); d.random.IntN(8) {
	case 0, 1:
		set.AddValues = []string{d.name("v")}
	case 2:
		set.AddValues, set.Before = []string{d.name("v"), d.name("v")}, &names[d.random.IntN(len(names))]
	case 3:
		set.RenameValues = map[string]string{names[d.random.IntN(len(names))]: d.name("v")}
	case 4:
		set.Name = new(d.name("mood"))
	case 5:
		set.Schema = new(d.Schema)
	case 6: // the last one is in no row
		if len(names) < 2 {
			return nil
		}
		set.Values = names[:len(names)-1]
	default: // all but the last, backwards
		slices.Reverse(names[:len(names)-1])
		set.Values = names
	}
	return []designer.Edit{{Op: designer.SetType, TypeRef: typeRef(t), SetType: set}}
}

func (d *editGenerator) dropType() []designer.Edit {
	if !d.hasTypes() {
		return nil
	}
	free := filter(d.design.NamedTypes(), func(t *designer.NamedType) bool { return len(d.design.UsesOf(t)) == 0 })
	t, ok := pick(d, free)
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.DropType, TypeRef: typeRef(t)}}
}
