package mysql

import (
	"strconv"

	"github.com/berth-dev/berth/designer"
)

// renaming is one object that gets another name.
type renaming struct{ from, to string }

// inBatches orders renamings. Those of one batch are made at once, so that
// each name is free when it is given; a ring of names is opened by a first
// batch that gives one of them a temporary name. So some name of each batch
// reports whether it has been made.
func inBatches(list []renaming, temporary func() string) [][]renaming {
	target := map[string]string{} // by folded source
	for _, r := range list {
		target[designer.Fold(r.from)] = designer.Fold(r.to)
	}
	var first, rest []renaming
	opened := map[string]bool{}
	for _, r := range list {
		if inRing(designer.Fold(r.from), target, opened) {
			opened[designer.Fold(r.from)] = true
			name := temporary()
			first = append(first, renaming{r.from, name})
			r.from = name
		}
		rest = append(rest, r)
	}
	var batches [][]renaming
	for _, batch := range [][]renaming{first, rest} {
		if len(batch) > 0 {
			batches = append(batches, batch)
		}
	}
	return batches
}

// inRing reports whether names lead from one back to itself, over more than a
// change of case and none that is opened already.
func inRing(start string, target map[string]string, opened map[string]bool) bool {
	if target[start] == start {
		return false
	}
	for at, steps := target[start], 0; at != "" && !opened[at] && steps < len(target); at, steps = target[at], steps+1 {
		if at == start {
			return true
		}
	}
	return false
}

// inSequence orders renamings that are made one after another.
func inSequence(list []renaming, temporary func() string) []renaming {
	var out []renaming
	for _, batch := range inBatches(list, temporary) {
		for len(batch) > 0 {
			i := firstFree(batch)
			out = append(out, batch[i])
			batch = append(batch[:i:i], batch[i+1:]...)
		}
	}
	return out
}

// firstFree finds a renaming whose new name none of the others still has.
func firstFree(batch []renaming) int {
	for i, r := range batch {
		free := true
		for j, o := range batch {
			free = free && (i == j || designer.Fold(o.from) != designer.Fold(r.to))
		}
		if free {
			return i
		}
	}
	return 0 // there is one: rings are opened
}

// renamedProbe tells by which name a batch shows that it has been made: one that is
// there only afterwards, or one that is not there any more.
func (p *planner) renamedProbe(batch []renaming, probe func(name string, there bool) string) string {
	before, after := map[string]bool{}, map[string]bool{}
	for _, r := range batch {
		before[designer.Fold(r.from)] = true
		after[designer.Fold(r.to)] = true
	}
	for _, r := range batch {
		if !before[designer.Fold(r.to)] {
			return probe(r.to, true)
		}
		if !after[designer.Fold(r.from)] {
			return probe(r.from, false)
		}
	}
	return "" // of case only: made twice it does no harm
}

// temporary returns names that neither state has, each once.
func (p *planner) temporary(taken map[string]bool) func() string {
	return func() string {
		for {
			p.temps++
			name := "berth_tmp_" + strconv.Itoa(p.temps)
			if !taken[designer.Fold(name)] {
				return name
			}
		}
	}
}
