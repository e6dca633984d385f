package sqlite

import (
	"fmt"
	"slices"
)

// move is one renaming.
type move struct{ from, to string }

// sequence orders renamings so that each finds its new name free, over
// temporary names where names change places, differ in case only, or are
// still those of something that goes later. taken are all names in use.
// caseAlone says that a change of case needs no detour.
func sequence(moves []move, taken []string, caseAlone bool, fresh func(string) string) []move {
	pending := slices.Clone(moves)
	used := map[string]string{}
	for _, name := range taken {
		used[fold(name)] = name
	}
	var out []move
	do := func(m move) {
		delete(used, fold(m.from))
		used[fold(m.to)] = m.to
		out = append(out, m)
	}
	for len(pending) > 0 {
		free := slices.IndexFunc(pending, func(m move) bool {
			_, blocked := used[fold(m.to)]
			return !blocked || caseAlone && fold(m.from) == fold(m.to)
		})
		if free >= 0 {
			do(pending[free])
			pending = slices.Delete(pending, free, free+1)
			continue
		}
		blocker := used[fold(pending[0].to)]
		aside := fresh(blocker)
		for i := range pending {
			if pending[i].from == blocker {
				pending[i].from = aside
			}
		}
		do(move{blocker, aside})
	}
	return out
}

// freshNames makes names that are in no use before or after the plan.
type freshNames map[string]bool

func (f freshNames) take(names ...string) {
	for _, n := range names {
		f[fold(n)] = true
	}
}

// like returns a new name that reminds of another.
func (f freshNames) like(name string) string {
	for i := 1; ; i++ {
		fresh := fmt.Sprintf("berth_%d_%s", i, name)
		if !f[fold(fresh)] {
			f.take(fresh)
			return fresh
		}
	}
}
