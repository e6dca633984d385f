package lint

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// components returns the sets of tables that reach each other (Tarjan), each
// in the order of tables. It does not recurse: a chain may be as long as the
// design.
func components(tables []*designer.Table, next func(*designer.Table) []*designer.Table) [][]*designer.Table {
	w := &walk{order: map[designer.ID]int{}, low: map[designer.ID]int{}, open: map[designer.ID]bool{}, next: next}
	for _, t := range tables {
		if _, seen := w.order[t.ID]; !seen {
			w.from(t)
		}
	}
	place := make(map[designer.ID]int, len(tables))
	for i, t := range tables {
		place[t.ID] = i
	}
	for _, c := range w.found {
		slices.SortFunc(c, func(a, b *designer.Table) int { return place[a.ID] - place[b.ID] })
	}
	slices.SortFunc(w.found, func(a, b []*designer.Table) int { return place[a[0].ID] - place[b[0].ID] })
	return w.found
}

type walk struct {
	order, low map[designer.ID]int
	open       map[designer.ID]bool
	stack      []*designer.Table
	next       func(*designer.Table) []*designer.Table
	found      [][]*designer.Table
}

// frame is a table on the way, with those that are still to be gone to.
type frame struct {
	t    *designer.Table
	rest []*designer.Table
}

func (w *walk) enter(t *designer.Table) frame {
	w.order[t.ID] = len(w.order) + 1
	w.low[t.ID] = w.order[t.ID]
	w.stack, w.open[t.ID] = append(w.stack, t), true
	return frame{t, w.next(t)}
}

func (w *walk) from(t *designer.Table) {
	way := []frame{w.enter(t)}
	for len(way) > 0 {
		f := &way[len(way)-1]
		if len(f.rest) > 0 {
			to := f.rest[0]
			f.rest = f.rest[1:]
			if _, seen := w.order[to.ID]; !seen {
				way = append(way, w.enter(to))
			} else if w.open[to.ID] {
				w.low[f.t.ID] = min(w.low[f.t.ID], w.order[to.ID])
			}
			continue
		}
		done := f.t
		way = way[:len(way)-1]
		if len(way) > 0 {
			up := way[len(way)-1].t
			w.low[up.ID] = min(w.low[up.ID], w.low[done.ID])
		}
		if w.low[done.ID] == w.order[done.ID] {
			w.close(done)
		}
	}
}

// close takes a finished set off the stack.
func (w *walk) close(root *designer.Table) {
	at := slices.Index(w.stack, root)
	set := slices.Clone(w.stack[at:])
	for _, t := range set {
		w.open[t.ID] = false
	}
	w.stack = w.stack[:at]
	w.found = append(w.found, set)
}
