package mysql

import (
	"slices"
	"strconv"

	"github.com/berth-dev/berth/designer"
)

// inBatches orders renames. Those of one batch are made at once, so that a name
// is free when it is given; a circle of names is opened by a first batch that
// gives one of them a temporary name. So some name of each batch shows whether
// it has been made.
func inBatches(list []designer.Rename, temporary func() string) [][]designer.Rename {
	parked := map[string]string{} // by the name before
	space := designer.Namespace{Fold: designer.Fold, Temporary: func(name string) string {
		parked[name] = temporary()
		return parked[name]
	}}
	space.Sequence(list)
	var first, rest []designer.Rename
	for _, r := range list {
		if name := parked[r.From]; name != "" {
			first = append(first, designer.Rename{From: r.From, To: name})
			r.From = name
		}
		rest = append(rest, r)
	}
	return slices.DeleteFunc([][]designer.Rename{first, rest}, func(batch []designer.Rename) bool { return len(batch) == 0 })
}

// renamedProbe tells by which name a batch shows that it has been made: one that is
// there only afterwards, or one that is not there any more.
func (p *planner) renamedProbe(batch []designer.Rename, probe func(name string, there bool) string) string {
	before, after := map[string]bool{}, map[string]bool{}
	for _, r := range batch {
		before[designer.Fold(r.From)] = true
		after[designer.Fold(r.To)] = true
	}
	for _, r := range batch {
		if !before[designer.Fold(r.To)] {
			return probe(r.To, true)
		}
		if !after[designer.Fold(r.From)] {
			return probe(r.From, false)
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
