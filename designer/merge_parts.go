package designer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// partKind says how one kind of a table's parts is merged.
type partKind[T any] struct {
	word string
	name func(T) (ID, string)
	same func(a, b *T) bool
	text func(T) string // for whoever has to choose
	// alike reports whether a part may be another one under a new name; nil: of
	// this kind none is.
	alike func(a, b *T) bool
	merge func(at Conflict, b, o, t T) T // both sides changed it
}

// wholeParts is a kind whose parts are taken from one side or the other.
func wholeParts[T any](word string, name func(T) (ID, string), same func(a, b *T) bool, text func(T) string) func(*merger) partKind[T] {
	return func(m *merger) partKind[T] {
		return partKind[T]{word: word, name: name, same: same, text: text, merge: func(at Conflict, b, o, t T) T {
			at.What, at.Base, at.Design, at.Database = "changed in both", clip.Name(text(b)), clip.Name(text(o)), clip.Name(text(t))
			return sideOf(m.decide(at), o, t)
		}}
	}
}

// columnParts merges columns attribute by attribute.
func (m *merger) columnParts(text func(Column) string) func(*merger) partKind[Column] {
	return func(m *merger) partKind[Column] {
		return partKind[Column]{word: "column", name: func(c Column) (ID, string) { return c.ID, c.Name },
			same: sameColumn, text: text, merge: m.column, alike: alikeColumns}
	}
}

// mergeParts merges one list of parts: in the design's order, then what is
// new in the database.
func mergeParts[T any](m *merger, at Conflict, b, o, t []T, kindOf func(*merger) partKind[T]) []T {
	kind := kindOf(m)
	base, theirs, ours := byPartID(b, kind), byPartID(t, kind), byPartID(o, kind)
	var out []T
	for i := range o {
		id, name := kind.name(o[i])
		at.Part = kind.word + " " + name
		switch b, their := base[id], theirs[id]; {
		case their != nil && b == nil:
			out = append(out, kind.twice(m, at, o[i], *their))
		case their != nil:
			out = append(out, kind.joined(at, *b, o[i], *their))
		case m.keeps(kind.mayBe(at, b, base, ours, t), kind.changed(b, &o[i])):
			out = append(out, o[i])
		}
	}
	for i := range t {
		id, name := kind.name(t[i])
		at.Part = kind.word + " " + name
		if ours[id] != nil {
			continue
		}
		if base[id] == nil || m.revives(at, kind.changed(base[id], &t[i])) {
			out = append(out, t[i])
		}
	}
	return out
}

// partState is what became of a part since the base.
type partState int

const (
	partSame partState = iota
	partNew
	partChanged
)

// mayBe names in a conflict what a part that the database no longer has may be
// called there now: the one part that is new there and like it. Not every
// server tells a part that was renamed from one dropped and one added.
func (k partKind[T]) mayBe(at Conflict, gone *T, base, ours map[ID]*T, database []T) Conflict {
	if k.alike == nil || gone == nil {
		return at
	}
	var names []string
	for i := range database {
		id, name := k.name(database[i])
		if base[id] == nil && ours[id] == nil && k.alike(gone, &database[i]) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		at.Database = "possibly renamed to " + clip.Name(names[0])
	}
	return at
}

// alikeColumns reports whether two columns differ in no more than name,
// default and comment.
func alikeColumns(a, b *Column) bool {
	return a.columnType() == b.columnType() && a.IsNullable == b.IsNullable && a.IsIdentity == b.IsIdentity && a.ComputedFormula == b.ComputedFormula
}

func (k partKind[T]) changed(base, now *T) partState {
	switch {
	case base == nil:
		return partNew
	case k.same(base, now):
		return partSame
	}
	return partChanged
}

// keeps decides about a part that the design has and the database has not.
func (m *merger) keeps(at Conflict, ours partState) bool {
	if ours == partChanged {
		at.What = droppedAndChanged
		return m.decide(at) == SideDesign
	}
	return ours == partNew
}

// revives decides about a part that the database has and the design dropped.
func (m *merger) revives(at Conflict, theirs partState) bool {
	at.What = "dropped in the design, changed in the database"
	return theirs == partChanged && m.decide(at) == SideDatabase
}

// twice is a part that both sides added under one name.
func (k partKind[T]) twice(m *merger, at Conflict, o, t T) T {
	if k.same(&o, &t) {
		return t
	}
	at.What, at.Design, at.Database = "added in both, differently", clip.Name(k.text(o)), clip.Name(k.text(t))
	return sideOf(m.decide(at), o, t)
}

// joined is a part that both sides have: whoever changed it wins.
func (k partKind[T]) joined(at Conflict, b, o, t T) T {
	switch {
	case k.same(&b, &t), k.same(&o, &t):
		return o
	case k.same(&b, &o):
		return t
	}
	return k.merge(at, b, o, t)
}

func byPartID[T any](list []T, kind partKind[T]) map[ID]*T {
	out := make(map[ID]*T, len(list))
	for i := range list {
		id, _ := kind.name(list[i])
		out[id] = &list[i]
	}
	return out
}

// columnType is what of a column its type is.
type columnType struct {
	name, length     string
	precision, scale int
	values           string
}

func (c Column) columnType() columnType {
	values := ""
	for _, v := range c.Values {
		values += v + "\x00"
	}
	return columnType{Fold(c.DataType), Fold(c.MaxLength), c.Precision, c.Scale, values}
}

// column merges a column that both sides changed.
func (m *merger) column(at Conflict, b, o, t Column) Column {
	out := o
	out.Name = mergeField(m, at, "name", b.Name, o.Name, t.Name)
	typed := mergeOf(m, at, "type", b, o, t,
		func(x, y Column) bool { return x.columnType() == y.columnType() }, typeWords)
	out.DataType, out.TypeText, out.MaxLength = typed.DataType, typed.TypeText, typed.MaxLength
	out.Precision, out.Scale, out.Values = typed.Precision, typed.Scale, typed.Values
	out.IsNullable = mergeField(m, at, "nullability", b.IsNullable, o.IsNullable, t.IsNullable)
	out.DefaultValue = mergeField(m, at, "default", b.DefaultValue, o.DefaultValue, t.DefaultValue)
	identity := mergeOf(m, at, "identity", b, o, t, func(x, y Column) bool {
		return x.IsIdentity == y.IsIdentity && x.IdentitySeed == y.IdentitySeed && x.IdentityIncrement == y.IdentityIncrement
	}, func(c Column) string { return yesNo(c.IsIdentity) })
	out.IsIdentity, out.IdentitySeed, out.IdentityIncrement = identity.IsIdentity, identity.IdentitySeed, identity.IdentityIncrement
	computed := mergeOf(m, at, "computed formula", b, o, t, func(x, y Column) bool {
		return x.IsComputed == y.IsComputed && x.ComputedFormula == y.ComputedFormula && x.ComputedPersisted == y.ComputedPersisted
	}, func(c Column) string { return c.ComputedFormula })
	out.IsComputed, out.ComputedFormula, out.ComputedPersisted = computed.IsComputed, computed.ComputedFormula, computed.ComputedPersisted
	out.Collation = mergeField(m, at, "collation", b.Collation, o.Collation, t.Collation)
	out.Comment = mergeField(m, at, "comment", b.Comment, o.Comment, t.Comment)
	out.Options = mergeOf(m, at, "options", b.Options, o.Options, t.Options, maps.Equal[map[string]string], optionText)
	return out
}

// typeWords tell a column's type from another one: "decimal(12,2)".
func typeWords(c Column) string {
	switch {
	case len(c.Values) > 0:
		return c.DataType + "(" + strings.Join(c.Values, ", ") + ")"
	case c.MaxLength != "":
		return c.DataType + "(" + c.MaxLength + ")"
	case c.Scale != 0:
		return fmt.Sprintf("%s(%d,%d)", c.DataType, c.Precision, c.Scale)
	case c.Precision != 0:
		return fmt.Sprintf("%s(%d)", c.DataType, c.Precision)
	}
	return c.DataType
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// needsDropped is a conflict that leaves no choice: the part goes.
const needsDropped = "needs what the database dropped"

// Removes reports whether the part is gone whatever side is chosen, for what
// it needs is.
func (c Conflict) Removes() bool { return c.What == needsDropped }

// dropDangling settles what joining took the ground from: keys, indexes and
// references that only the design has, on what only the database dropped.
func (m *merger) dropDangling(tables map[ID]*Table) {
	has := func(table, column ID) bool {
		t := tables[table]
		return t != nil && t.column(column) != nil
	}
	for id, t := range tables {
		at := Conflict{Table: t.tableName(), What: needsDropped}
		out := t.clone()
		broken := func(part string) bool {
			at.Part = part
			m.decide(at) // there is no way to keep it
			return true
		}
		out.ForeignKeys = slices.DeleteFunc(out.ForeignKeys, func(k ForeignKey) bool {
			return slices.ContainsFunc(k.Mappings, func(p Mapping) bool {
				return !has(id, p.Column) || k.Dangling == nil && !has(k.RefTable, p.RefColumn)
			}) && broken("foreign key "+k.Name)
		})
		out.Indexes = slices.DeleteFunc(out.Indexes, func(x Index) bool {
			return slices.ContainsFunc(x.Parts, func(p IndexKey) bool { return p.Column != "" && !has(id, p.Column) }) &&
				broken("index "+x.Name)
		})
		if k := out.PrimaryKey; k != nil && slices.ContainsFunc(k.Columns, func(c ID) bool { return !has(id, c) }) {
			broken("primary key")
			out.PrimaryKey = nil
		}
		if len(out.ForeignKeys) != len(t.ForeignKeys) || len(out.Indexes) != len(t.Indexes) || (out.PrimaryKey == nil) != (t.PrimaryKey == nil) {
			tables[id] = out.clone()
		}
	}
}
