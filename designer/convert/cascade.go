package convert

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// reaches reports whether an action changes the referring row.
func reaches(a designer.Action) bool {
	return a == designer.Cascade || a == designer.SetNull || a == designer.SetDefault
}

// cascadeGraph records which tables a change of a table reaches.
type cascadeGraph struct {
	targets, sources map[*table][]*table
}

// add records that changes of source reach target, unless that would create a
// cycle or a second path to a table.
func (g *cascadeGraph) add(source, target *table) bool {
	above := reach(source, g.sources, map[*table]bool{})
	below := reach(target, g.targets, map[*table]bool{})
	seen := map[*table]bool{}
	for _, t := range below {
		if slices.Contains(above, t) {
			return false
		}
		for _, s := range reach(t, g.sources, seen) {
			if slices.Contains(above, s) {
				return false
			}
		}
	}
	g.targets[source] = append(g.targets[source], target)
	g.sources[target] = append(g.sources[target], source)
	return true
}

// reach lists the tables reached from one, itself first, that were not seen
// before.
func reach(from *table, next map[*table][]*table, seen map[*table]bool) []*table {
	if seen[from] {
		return nil
	}
	seen[from] = true
	found := []*table{from}
	for i := 0; i < len(found); i++ {
		for _, t := range next[found[i]] {
			if !seen[t] {
				seen[t] = true
				found = append(found, t)
			}
		}
	}
	return found
}
