package designer

import "slices"

// order gives the new places of n things.
type order func(n int) []int

// reverseInts is the order from the last to the first.
func reverseInts(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = n - 1 - i
	}
	return out
}

// shuffled returns a definition with everything that has no order of its own
// in another one.
func shuffled(d Definition, o order) Definition {
	d.Schemas, d.Views, d.Tables = reorder(d.Schemas, o), reorder(d.Views, o), reorder(d.Tables, o)
	for i := range d.Tables {
		t := &d.Tables[i]
		t.Columns, t.Indexes, t.Checks = reorder(t.Columns, o), reorder(t.Indexes, o), reorder(t.Checks, o)
		t.ForeignKeys, t.Triggers = reorder(t.ForeignKeys, o), reorder(t.Triggers, o)
		for j := range t.ForeignKeys {
			t.ForeignKeys[j].Mappings = reorder(t.ForeignKeys[j].Mappings, o)
		}
	}
	return d
}

func reorder[T any](list []T, o order) []T {
	out := slices.Clone(list)
	for i, j := range o(len(list)) {
		out[i] = list[j]
	}
	return out
}
