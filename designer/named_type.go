package designer

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// NamedType is a type that a database has of its own and edits make: an
// enumeration or a domain. A NamedType that has entered a [Schema] is never
// modified again, as a [Table] is not. What else a database has of types
// (composites, ranges, domains of such) is an [Object], which no edit makes.
type NamedType struct {
	ID      ID          `json:"id"`
	Schema  string      `json:"schema"`
	Name    string      `json:"name"`
	Kind    TypeClass   `json:"kind"`
	Values  []TypeValue `json:"values,omitempty"` // of an enum, in order
	Domain  *Domain     `json:"domain,omitempty"` // nil: it is none
	Comment string      `json:"comment,omitempty"`

	// Grants and Uses are those of [Object]: carried, not edited.
	Grants []string     `json:"grants,omitempty"`
	Uses   []Dependency `json:"uses,omitempty"`
}

// TypeClass says what a [NamedType] is.
type TypeClass string

// The classes.
const (
	ClassEnum   TypeClass = "enum"
	ClassDomain TypeClass = "domain"
)

// TypeValue is one value of an enumeration. Its id survives a rename, so that
// a value with another name is not taken for one that went and one that came.
type TypeValue struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
}

// TypeChange is one named type of a [Change]. Before is nil for a type added,
// After for a type dropped; never both.
type TypeChange struct {
	Before *NamedType `json:"before,omitempty"`
	After  *NamedType `json:"after,omitempty"`
}

// ID returns the id of the type.
func (tc TypeChange) ID() ID {
	if tc.After != nil {
		return tc.After.ID
	}
	return tc.Before.ID
}

// NamedTypeRules say which types of its own a database has that edits make.
// Zero: none.
type NamedTypeRules struct {
	Classes []TypeClass
	// Define writes the statement that makes a type. nil only without classes.
	Define func(t *NamedType) string
	// Instead says what the dialect has in place of named types, for the
	// refusal of an edit that wants one.
	Instead string
	// LongestValue bounds the values of an enum, in bytes; 0: no limit.
	LongestValue int
}

// IsOfType reports whether the operation is about a [NamedType].
func (op Op) IsOfType() bool { return op == AddType || op == SetType || op == DropType }

func (r NamedTypeRules) has(c TypeClass) bool { return slices.Contains(r.Classes, c) }

// TypeName returns the type's schema and name.
func (t *NamedType) TypeName() TableName { return TableName{t.Schema, t.Name} }

func (t *NamedType) quoted() string { return "'" + fullName(t.Schema, t.Name) + "'" }

// ValueNames lists the values of an enum, in order.
func (t *NamedType) ValueNames() []string {
	return mapEach(t.Values, func(v TypeValue) string { return v.Name })
}

// GrowsTo reports whether a type becomes another one as it stands: an enum by
// values that are added and renamed alone, of which none goes and none changes
// its place among the others, and a domain by all but its base.
func (t *NamedType) GrowsTo(to *NamedType) bool {
	if t.Kind != to.Kind || t.Domain != nil && t.Domain.Base != to.Domain.Base {
		return false
	}
	at := 0
	for _, v := range to.Values {
		if at < len(t.Values) && t.Values[at].ID == v.ID {
			at++
		} else if slices.ContainsFunc(t.Values, func(old TypeValue) bool { return old.ID == v.ID }) {
			return false
		}
	}
	return at == len(t.Values)
}

// Clone returns a copy that shares nothing with t; empty lists become nil.
func (t *NamedType) Clone() *NamedType {
	c := *t
	c.Values, c.Grants, c.Uses = cloneList(t.Values), cloneList(t.Grants), cloneList(t.Uses)
	c.Domain = t.Domain.clone()
	return &c
}

// Equal reports whether both mean the same to a database. Ids and what is
// carried are not compared.
func (t *NamedType) Equal(o *NamedType) bool {
	return t.Schema == o.Schema && t.Name == o.Name && t.Kind == o.Kind && t.Comment == o.Comment &&
		slices.Equal(t.ValueNames(), o.ValueNames()) && t.Domain.Equal(o.Domain)
}

// same reports whether two states of a type are the same in all, ids and what
// is carried included.
func (t *NamedType) same(o *NamedType) bool { return t == o || reflect.DeepEqual(t, o) }

// object is the type as what a database has beside tables.
func (t *NamedType) object(d *Dialect) Object {
	c := t.Clone()
	return Object{Kind: ObjectType, Schema: c.Schema, Name: c.Name, Values: orNone(c.ValueNames()), Domain: c.Domain, Comment: c.Comment,
		Definition: d.NamedTypes.Define(c), Grants: c.Grants, Uses: c.Uses}
}

// EditsType reports whether an object is a type that edits make.
func (d *Dialect) EditsType(o Object) bool {
	class := ClassEnum
	if o.Domain != nil {
		class = ClassDomain
	}
	return o.Kind == ObjectType && (len(o.Values) > 0 || o.Domain != nil) && len(o.Extras)+len(o.Options) == 0 && d.NamedTypes.has(class)
}

// namedTypeOf is the object as a type, without ids.
func namedTypeOf(o Object) *NamedType {
	t := &NamedType{Schema: o.Schema, Name: o.Name, Kind: ClassEnum, Domain: o.Domain, Comment: o.Comment, Grants: o.Grants, Uses: o.Uses}
	if o.Domain != nil {
		t.Kind = ClassDomain
	}
	for _, v := range o.Values {
		t.Values = append(t.Values, TypeValue{Name: v})
	}
	return t.Clone()
}

// typeEntry is a named type with its digest.
type typeEntry struct {
	t      *NamedType
	digest digest
}

// NamedTypes returns the types of the database's own that edits make, sorted
// by schema and name.
func (s *Schema) NamedTypes() []*NamedType {
	list := make([]*NamedType, 0, len(s.named))
	for e := range maps.Values(s.named) {
		list = append(list, e.t)
	}
	slices.SortFunc(list, func(a, b *NamedType) int {
		return cmp.Or(compareNames(a.Schema, b.Schema), compareNames(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// NamedType returns the named type with this id, nil if there is none.
func (s *Schema) NamedType(id ID) *NamedType {
	if e, ok := s.named[id]; ok {
		return e.t
	}
	return nil
}

// TypesNamed returns the named types that the name means, ignoring case; an
// empty schema is the default one.
func (s *Schema) TypesNamed(name TableName) []*NamedType {
	key := s.keyOf(name.Schema, name.Name)
	return keep(s.NamedTypes(), func(t *NamedType) bool { return s.keyOf(t.Schema, t.Name) == key })
}

// putTypes makes every type of changes its After. It validates nothing.
func (s *Schema) putTypes(changes []TypeChange) {
	if len(changes) == 0 {
		return
	}
	for _, c := range changes {
		if e, ok := s.named[c.ID()]; ok {
			s.sum.subtract(e.digest)
			delete(s.named, c.ID())
		}
	}
	for _, c := range changes {
		if c.After != nil {
			e := typeEntry{c.After, s.typeDigest(c.After)}
			s.named[c.After.ID] = e
			s.sum.add(e.digest)
		}
	}
	s.refreshTypes()
}

// refreshTypes tells the dialect which types of its own the database has.
func (s *Schema) refreshTypes() {
	s.dialect = s.dialect.with(ownTypes(s.Objects(), s.dialect.Schemas.Common, s.defaultSchema))
}

// typeDigest hashes what publish can change about a type.
func (s *Schema) typeDigest(t *NamedType) digest {
	var e encoder
	e.text("type")
	e.name(t.Schema)
	e.name(t.Name)
	e.text(string(t.Kind))
	e.texts(t.ValueNames())
	e.text(t.Comment)
	if d := t.Domain; d != nil {
		e.name(d.Base)
		e.flag(d.NotNull)
		e.text(d.Default)
		e.set(len(d.Checks), func(i int, e *encoder) { e.name(d.Checks[i].Name); e.text(d.Checks[i].Expression) })
	}
	return e.digest()
}

// columnName is how columns name the type: by its name alone in one of the
// common schemas, else by schema and name.
func (s *Schema) columnName(t *NamedType) string {
	if slices.Contains(s.dialect.Schemas.Common, t.Schema) || t.Schema == "" {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

// TypeOf returns the named type that a column has, or has a list of; nil if it
// has another.
func (s *Schema) TypeOf(c Column) *NamedType {
	name := c.DataType
	if known, ok := s.dialect.Type(name); ok {
		name = known.Name
	}
	name = strings.TrimSuffix(name, "[]")
	for _, e := range s.named {
		if strings.EqualFold(s.columnName(e.t), name) {
			return e.t
		}
	}
	return nil
}

// typesOf lists the types of a catalog. Those of one that was written before
// types had ids get ids that follow from their names.
func (s *Schema) typesOf(c Catalog) []TypeChange {
	var list []TypeChange
	for _, t := range c.Types {
		list = append(list, TypeChange{After: t})
	}
	if c.Types != nil {
		return list
	}
	for _, o := range c.Objects {
		if !s.dialect.EditsType(o) {
			continue
		}
		t := namedTypeOf(o)
		if t.Schema == "" {
			t.Schema = s.defaultSchema
		}
		t.ID = ID("type " + t.Schema + "." + t.Name)
		for i := range t.Values {
			t.Values[i].ID = t.ID + ID(" "+t.Values[i].Name)
		}
		list = append(list, TypeChange{After: t})
	}
	return list
}

// TypeUse is a column that has a named type.
type TypeUse struct {
	Table  *Table
	Column Column
}

// UsesOf lists the columns that have the type, or a list of it.
func (s *Schema) UsesOf(t *NamedType) []TypeUse {
	var list []TypeUse
	for _, table := range s.Tables() {
		for _, c := range table.Columns {
			if of := s.TypeOf(c); of != nil && of.ID == t.ID {
				list = append(list, TypeUse{table, c})
			}
		}
	}
	return list
}

// typeChangesTo returns the changes that make the types of s those of next.
func (s *Schema) typeChangesTo(next *Schema) []TypeChange {
	var list []TypeChange
	for _, t := range s.NamedTypes() {
		if n := next.NamedType(t.ID); n == nil {
			list = append(list, TypeChange{Before: t})
		} else if !t.same(n) {
			list = append(list, TypeChange{Before: t, After: n})
		}
	}
	for _, t := range next.NamedTypes() {
		if s.NamedType(t.ID) == nil {
			list = append(list, TypeChange{After: t})
		}
	}
	return list
}

// adoptType gives a type read from a database the ids of the one of the same
// name, which may be nil.
func (s *idSource) adoptType(t, old *NamedType) {
	if old == nil {
		t.ID = s.s.newID()
		old = &NamedType{}
	} else {
		t.ID = old.ID
	}
	for i := range t.Values {
		v := &t.Values[i]
		if at := slices.IndexFunc(old.Values, func(o TypeValue) bool { return o.Name == v.Name }); at >= 0 {
			v.ID = old.Values[at].ID
		} else {
			v.ID = s.s.newID()
		}
	}
}

// types makes named types of the objects that are such, and returns the rest.
func (s *idSource) types(objects []Object) (rest []Object) {
	used := map[ID]bool{}
	var changes []TypeChange
	for _, o := range objects {
		if !s.s.dialect.EditsType(o) {
			rest = append(rest, o)
			continue
		}
		t := namedTypeOf(o)
		if t.Schema == "" {
			t.Schema = s.s.defaultSchema
		}
		s.adoptType(t, s.oldType(t, used))
		used[t.ID] = true
		changes = append(changes, TypeChange{After: t})
	}
	s.s.putTypes(changes)
	return rest
}

// oldType finds the type of the old schema, or of the catalog that there is
// without one, that t continues: by its exact name, else by the only one that
// differs in case.
func (s *idSource) oldType(t *NamedType, used map[ID]bool) *NamedType {
	from := s.old
	if from == nil {
		from = s.s
	}
	all := keep(from.TypesNamed(t.TypeName()), func(o *NamedType) bool { return !used[o.ID] })
	for _, o := range all {
		if o.Schema == t.Schema && o.Name == t.Name {
			return o
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// orNone returns nil for a list without elements.
func orNone(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}
