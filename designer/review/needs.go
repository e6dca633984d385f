package review

import (
	"iter"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Select returns which of the agent's changes are to be taken back with those
// that keys select: an index on a column that the agent added goes with the
// column, and a column that the agent dropped comes back with a key on it.
func (n *Net) Select(now *designer.Schema, keys []Key) (selected func(Key) bool, any bool) {
	chosen := map[Key]bool{}
	for k := range n.all() {
		if slices.ContainsFunc(keys, func(one Key) bool { return one.Selects(k) }) {
			chosen[k] = true
		}
	}
	want := func(k Key) bool { return chosen[k] }
	for grown := len(chosen) > 0; grown; {
		grown = false
		add := func(k Key) bool {
			if !n.has(k) || chosen[k] {
				return false
			}
			chosen[k], grown = true, true
			return true
		}
		n.follow(now, n.Before(now, want), n.typesAfter(now, want), add)
	}
	return want, len(chosen) > 0
}

// all are the keys of what the agent changed, in no order.
func (n *Net) all() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for k := range n.before {
			if !yield(k) {
				return
			}
		}
		for k := range n.types {
			if !yield(k) {
				return
			}
		}
	}
}

// has reports whether the agent changed what k names.
func (n *Net) has(k Key) bool {
	_, inTables := n.before[k]
	_, isType := n.types[k]
	return inTables || isType
}

// follow calls add with the keys of what no longer fits in tables and of what it
// lacks.
func (n *Net) follow(now *designer.Schema, tables map[designer.ID]*designer.Table, types *typeNeeds, add func(Key) bool) {
	table := func(id designer.ID) *designer.Table {
		if t, ok := tables[id]; ok {
			return t
		}
		return now.ByID(id)
	}
	check := func(t *designer.Table) {
		if t == nil {
			return
		}
		types.check(t, add)
		each(t, func(k Key, in, column designer.ID) {
			switch o := table(in); {
			case o == nil:
				add(k)
				add(Key{Table: in})
			case o.ColumnByID(column) == nil:
				add(k)
				add(Key{Table: in, Part: column})
			}
		})
	}
	for _, t := range now.Tables() {
		check(table(t.ID))
	}
	for id, t := range tables {
		if now.ByID(id) == nil {
			check(t)
		}
	}
}

// each calls fn for each column that a part of t needs, with the key of the
// part.
func each(t *designer.Table, fn func(k Key, in, column designer.ID)) {
	if t.PrimaryKey != nil {
		for _, c := range t.PrimaryKey.Columns {
			fn(Key{Table: t.ID, Field: fieldKey}, t.ID, c)
		}
	}
	for _, k := range t.ForeignKeys {
		for _, m := range k.Mappings {
			fn(Key{Table: t.ID, Part: k.ID}, t.ID, m.Column)
			if k.Dangling == nil {
				fn(Key{Table: t.ID, Part: k.ID}, k.RefTable, m.RefColumn)
			}
		}
	}
	for _, x := range t.Indexes {
		for _, p := range x.Parts {
			if p.Column != "" {
				fn(Key{Table: t.ID, Part: x.ID}, t.ID, p.Column)
			}
		}
		for _, c := range x.Include {
			fn(Key{Table: t.ID, Part: x.ID}, t.ID, c)
		}
	}
}
