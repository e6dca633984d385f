package designer

import (
	"maps"
	"slices"
	"strings"
)

// Diff is what leads from one state of a schema to another, object by object.
// Objects are matched by their ids, so that a rename is a rename and never a
// drop and an add. What publishing cannot change is no difference: ids, the
// order of columns, the spelling of a type, the case of a type's name.
type Diff struct {
	From, To *Schema
	Schemas  []string // that tables of To are in and From does not have, sorted
	Dropped  []*Table // of From, sorted by schema and name
	Added    []*Table // of To, sorted likewise
	Changed  []TableDiff
	Types    []TypeDiff // those that go, those that come, those that change
}

// TypeDiff is one named type that differs. From is nil for a type added, To
// for one dropped.
type TypeDiff struct{ From, To *NamedType }

// TableDiff is one table that is in both states and not the same.
type TableDiff struct {
	From, To   *Table
	Renamed    bool // the name differs, if only by case
	Moved      bool // the schema differs
	Comment    bool
	Options    bool
	PrimaryKey bool // columns, their order, name or options differ; nil on either side counts

	Columns     []ColumnDiff
	ForeignKeys []PartDiff[ForeignKey]
	Indexes     []PartDiff[Index]
	Checks      []PartDiff[Check]
}

// PartDiff is one part of a table that differs. From is nil for a part added,
// To for one dropped.
type PartDiff[T any] struct{ From, To *T }

// Added reports whether only To has the part.
func (d PartDiff[T]) Added() bool { return d.From == nil }

// Dropped reports whether only From has the part.
func (d PartDiff[T]) Dropped() bool { return d.To == nil }

// Changed reports whether both have it.
func (d PartDiff[T]) Changed() bool { return d.From != nil && d.To != nil }

// ColumnDiff is one column that differs; the flags say in what, and are set
// only where both sides have it.
type ColumnDiff struct {
	PartDiff[Column]
	Renamed   bool
	Type      bool // data type, length, precision, scale or values
	Nullable  bool
	Default   bool
	Identity  bool // flag, seed or increment
	Computed  bool // flag, formula or persistence
	Collation bool
	Comment   bool
	Options   bool
}

// DiffOf compares two states of one schema. Both must have their ids from one
// source, as a design and its base do.
func DiffOf(from, to *Schema) *Diff {
	d := &Diff{From: from, To: to}
	for _, t := range from.Tables() {
		switch next := to.ByID(t.ID); {
		case next == nil:
			d.Dropped = append(d.Dropped, t)
		case next != t:
			if td := DiffTables(t, next); !td.Empty() {
				d.Changed = append(d.Changed, td)
			}
		}
	}
	has := map[string]bool{}
	for _, name := range from.Schemas() {
		has[Fold(name)] = true
	}
	for _, t := range to.Tables() {
		if from.ByID(t.ID) == nil {
			d.Added = append(d.Added, t)
		}
		if !has[Fold(t.Schema)] {
			has[Fold(t.Schema)] = true
			d.Schemas = append(d.Schemas, t.Schema)
		}
	}
	d.diffTypes(has)
	return d
}

// diffTypes compares the named types; has are the schemas known so far.
func (d *Diff) diffTypes(has map[string]bool) {
	for _, c := range d.From.typeChangesTo(d.To) {
		if c.Before == nil || c.After == nil || !c.Before.Equal(c.After) {
			d.Types = append(d.Types, TypeDiff{c.Before, c.After})
		}
		if c.After != nil && !has[Fold(c.After.Schema)] {
			has[Fold(c.After.Schema)] = true
			d.Schemas = append(d.Schemas, c.After.Schema)
		}
	}
}

// Empty reports whether there is nothing to publish.
func (d *Diff) Empty() bool { return len(d.Dropped)+len(d.Added)+len(d.Changed)+len(d.Types) == 0 }

// Empty reports whether nothing differs.
func (d TableDiff) Empty() bool {
	return !d.Renamed && !d.Moved && !d.Comment && !d.Options && !d.PrimaryKey &&
		len(d.Columns)+len(d.ForeignKeys)+len(d.Indexes)+len(d.Checks) == 0
}

// DiffTables returns how one table differs from another, by the ids of their
// parts.
func DiffTables(from, to *Table) TableDiff {
	d := TableDiff{
		From: from, To: to,
		Renamed:    from.Name != to.Name,
		Moved:      from.Schema != to.Schema,
		Comment:    from.Comment != to.Comment,
		Options:    !maps.Equal(from.Options, to.Options),
		PrimaryKey: !from.PrimaryKey.Equal(to.PrimaryKey),
	}
	for _, p := range diffParts(from.Columns, to.Columns, func(c Column) ID { return c.ID }, (*Column).Equal) {
		d.Columns = append(d.Columns, diffColumn(p))
	}
	d.ForeignKeys = diffParts(from.ForeignKeys, to.ForeignKeys, func(k ForeignKey) ID { return k.ID }, (*ForeignKey).Equal)
	d.Indexes = diffParts(from.Indexes, to.Indexes, func(x Index) ID { return x.ID }, (*Index).Equal)
	d.Checks = diffParts(from.Checks, to.Checks, func(k Check) ID { return k.ID }, (*Check).Equal)
	return d
}

// diffParts lists what differs: first what from has, in its order, then what
// only to has.
func diffParts[T any](from, to []T, id func(T) ID, same func(a, b *T) bool) []PartDiff[T] {
	var out []PartDiff[T]
	after := make(map[ID]*T, len(to))
	for i := range to {
		after[id(to[i])] = &to[i]
	}
	before := make(map[ID]bool, len(from))
	for i := range from {
		before[id(from[i])] = true
		next := after[id(from[i])]
		if next == nil || !same(&from[i], next) {
			out = append(out, PartDiff[T]{From: &from[i], To: next})
		}
	}
	for i := range to {
		if !before[id(to[i])] {
			out = append(out, PartDiff[T]{To: &to[i]})
		}
	}
	return out
}

func diffColumn(p PartDiff[Column]) ColumnDiff {
	d := ColumnDiff{PartDiff: p}
	if !p.Changed() {
		return d
	}
	a, b := p.From, p.To
	d.Renamed = a.Name != b.Name
	d.Type = Fold(a.DataType) != Fold(b.DataType) || Fold(a.MaxLength) != Fold(b.MaxLength) ||
		a.Precision != b.Precision || a.Scale != b.Scale || !slices.Equal(a.Values, b.Values)
	d.Nullable = a.IsNullable != b.IsNullable
	d.Default = a.DefaultValue != b.DefaultValue
	d.Identity = a.IsIdentity != b.IsIdentity || a.IdentitySeed != b.IdentitySeed || a.IdentityIncrement != b.IdentityIncrement
	d.Computed = a.IsComputed != b.IsComputed || a.ComputedFormula != b.ComputedFormula || a.ComputedPersisted != b.ComputedPersisted
	d.Collation = !strings.EqualFold(a.Collation, b.Collation)
	d.Comment = a.Comment != b.Comment
	d.Options = !maps.Equal(a.Options, b.Options)
	return d
}

func (d ColumnDiff) any() bool {
	return d.Renamed || d.Type || d.Nullable || d.Default || d.Identity || d.Computed || d.Collation || d.Comment || d.Options
}

// Equal reports whether both mean the same to a database. Ids are not compared.
func (a *Column) Equal(b *Column) bool {
	return !diffColumn(PartDiff[Column]{From: a, To: b}).any()
}

// Equal reports whether both mean the same to a database. Ids are not compared.
func (a *PrimaryKey) Equal(b *PrimaryKey) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && slices.Equal(a.Columns, b.Columns) && maps.Equal(a.Options, b.Options)
}

// Equal reports whether both mean the same to a database. Ids are not compared.
func (k *ForeignKey) Equal(other *ForeignKey) bool {
	return k.Name == other.Name && k.OnDelete == other.OnDelete && k.OnUpdate == other.OnUpdate &&
		k.Deferrable == other.Deferrable && k.identity() == other.identity() && maps.Equal(k.Options, other.Options)
}

// Equal reports whether both mean the same to a database. Ids are not compared.
func (x *Index) Equal(other *Index) bool {
	return x.Name == other.Name && x.Unique == other.Unique && x.Constraint == other.Constraint && x.Where == other.Where &&
		slices.Equal(x.Parts, other.Parts) && slices.Equal(x.Include, other.Include) && x.Method == other.Method &&
		maps.Equal(x.Options, other.Options)
}

// Equal reports whether both mean the same to a database. Ids are not compared.
func (k *Check) Equal(other *Check) bool {
	return k.Name == other.Name && k.Expression == other.Expression && maps.Equal(k.Options, other.Options)
}
