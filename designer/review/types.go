package review

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Type is one named type that the agent changed, as [Table].
type Type struct{ Before, After *designer.NamedType }

// ID returns the id of the type.
func (t Type) ID() designer.ID { return t.named().ID }

func (t Type) named() *designer.NamedType {
	if t.After != nil {
		return t.After
	}
	return t.Before
}

// Types returns the named types that the agent changed.
func (n *Net) Types(now *designer.Schema) []Type {
	var list []Type
	for k, before := range n.types {
		after := now.NamedType(k.Part)
		if before != nil && after != nil && before.Equal(after) || before == nil && after == nil {
			continue
		}
		list = append(list, Type{before, after})
	}
	slices.SortFunc(list, func(a, b Type) int {
		x, y := a.named(), b.named()
		return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// TypesBefore returns all named types as they are now without those of the
// agent's changes that want reports true for.
func (n *Net) TypesBefore(now *designer.Schema, want func(Key) bool) []*designer.NamedType {
	list := []*designer.NamedType{} // not nil: none
	for _, t := range now.NamedTypes() {
		k := Key{Part: t.ID}
		if _, open := n.types[k]; !open || !want(k) {
			list = append(list, t)
		}
	}
	for k, old := range n.types {
		if old != nil && want(k) {
			list = append(list, old)
		}
	}
	return list
}

// withTypes returns a schema without tables that has these types.
func withTypes(now *designer.Schema, types []*designer.NamedType) *designer.Schema {
	opts := now.Options()
	opts.Catalog.Types = types
	return designer.New(now.Dialect(), opts)
}

// typeNeeds finds the types that columns need.
type typeNeeds struct {
	now, next, was *designer.Schema // as they are, will be, and were before the agent
	follower       designer.Follower
}

// typesAfter returns what finds the types that are needed once what want
// reports true for is taken back; nil: the agent changed no type.
func (n *Net) typesAfter(now *designer.Schema, want func(Key) bool) *typeNeeds {
	if len(n.types) == 0 {
		return nil
	}
	types := n.TypesBefore(now, want)
	all := n.TypesBefore(now, func(Key) bool { return true })
	return &typeNeeds{now: now, next: withTypes(now, types), was: withTypes(now, all), follower: now.Following(types)}
}

// check calls add with the keys of t's columns whose type is gone, or of the
// types.
func (n *typeNeeds) check(t *designer.Table, add func(Key) bool) {
	if n == nil {
		return
	}
	for _, c := range n.follower.Table(t).Columns {
		of := n.now.TypeOf(c)
		if of == nil {
			of = n.was.TypeOf(c)
		}
		switch {
		case of == nil || n.next.TypeOf(c) != nil:
		case n.now.NamedType(of.ID) == nil || n.next.NamedType(of.ID) != nil: // the agent dropped or renamed it
			add(Key{Part: of.ID})
		case !add(Key{Table: t.ID, Part: c.ID, Field: fieldType}):
			add(Key{Table: t.ID, Part: c.ID})
		}
	}
}
