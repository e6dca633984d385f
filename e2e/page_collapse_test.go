package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const titleOnly = 34 // pixels of the canvas that a title takes

// collapsed waits until exactly these tables are collapsed, each as high as its
// title.
func (s *studio) collapsed(names ...string) {
	s.t.Helper()
	want := map[string]bool{}
	for _, n := range names {
		want["table-main."+n] = true
	}
	require.EventuallyWithT(s.t, func(c *assert.CollectT) {
		for id, g := range s.grounds() {
			assert.Equal(c, want[id], g.Height == titleOnly, "%s is %v high", id, g.Height)
		}
	}, patience, tick)
	assert.Len(s.t, eval[[]string](s.tab, `[...document.querySelectorAll(".table.collapsed")].map(t => t.dataset.testid)`), len(names))
}

// endsAtTitle reports whether a relation's line has an end at the middle of a
// table's title.
func (b *tab) endsAtTitle(key, table string) bool {
	b.t.Helper()
	return eval[bool](b, `(key, table) => {
		const path = document.querySelector('.edge[aria-label*="' + key + '"] .hit');
		const ends = [0, path.getTotalLength()].map(at => path.getPointAtLength(at).matrixTransform(path.getScreenCTM()));
		const card = document.querySelector(table).getBoundingClientRect();
		const zoom = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a;
		return ends.some(e => Math.abs(e.y - card.y - 17 * zoom) < 2 && (Math.abs(e.x - card.left) < 2 || Math.abs(e.x - card.right) < 2));
	}`, key, tableBox(table))
}

// A table is collapsed to its title by key and by menu, stays so, and has its
// relations end there.
func TestTablesAreCollapsedToTheirTitles(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	before := s.grounds()
	s.collapsed()
	assert.False(t, s.endsAtTitle("stay refers to main.boat", "boat"))

	s.click(tableTitle("boat"))
	s.selects("boat")
	s.key("alt+c")
	s.collapsed("boat")
	assert.True(t, s.endsAtTitle("stay refers to main.boat", "boat"))
	s.opensMenu(tableTitle("weather"))
	s.offers("collapse")
	s.click(button("menu-collapse"))
	s.collapsed("boat", "weather")
	x, y := s.point(tableTitle("weather"))
	s.dragTo(x, y, x+20, y+30)
	s.rests()
	s.collapsed("boat", "weather")
	for _, w := range []screen{{390, 844, "dark"}, {1280, 800, "dark"}, {1280, 800, "light"}} {
		s.size(w.width, w.height, w.scheme)
		s.do(button("fit"))
		s.looksGood(fmt.Sprintf("%d-%s", w.width, w.scheme), w.width < 720)
		s.hasNoSeriousBarrier()
	}

	other := s.another()
	other.goTo(s.in.URL)
	other.has(tableBox("boat") + ".collapsed") // it was saved
	other.has(tableBox("weather") + ".collapsed")
	s.reload()
	s.has(tableBox("boat"))
	s.collapsed("boat", "weather")
	assert.True(t, s.endsAtTitle("stay refers to main.boat", "boat"))

	s.click(button("arrange"))
	s.sees("Arranged 4 tables.")
	s.collapsed("boat", "weather")
	s.click(tableTitle("stay"))
	s.key("alt+c")
	s.collapsed("boat", "stay", "weather")
	s.key("ctrl+z")
	s.collapsed("boat", "weather")
	s.click(button("expand-main.boat"))
	s.collapsed("weather")
	other.lacks(tableBox("boat") + ".collapsed")
	assert.False(t, s.endsAtTitle("stay refers to main.boat", "boat"))

	s.canvasMenu("collapse-all")
	s.collapsed("bill", "boat", "stay", "weather")
	s.canvasMenu("expand-all")
	s.collapsed()
	for id, g := range s.grounds() {
		assert.Equal(t, before[id].Height, g.Height, id)
	}
	s.agrees()
}

// Arranging takes no more room than collapsed tables need.
func TestCollapsedTablesAreArrangedCloser(t *testing.T) {
	s := newStudio(t, `
		CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT);
		CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), c TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT);
		CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), b TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT);`)
	s.arranged()
	apart := func() float64 {
		at := s.grounds()
		return max(at["table-main.b"].Y-at["table-main.c"].Y, at["table-main.c"].Y-at["table-main.b"].Y)
	}
	wide := apart()
	s.canvasMenu("collapse-all")
	s.collapsed("a", "b", "c")
	assert.Equal(t, wide, apart())
	s.click(button("arrange"))
	s.sees("Arranged 3 tables.")
	s.rests()
	assert.Less(t, apart(), wide/2)
}

// canvasMenu chooses from the menu of the canvas.
func (s *studio) canvasMenu(choice string) {
	s.t.Helper()
	s.key("Escape")
	corner := eval[[]float64](s.tab, `() => { const r = document.querySelector(".react-flow__pane").getBoundingClientRect(); return [r.right - 200, r.bottom - 40] }`, nil)
	s.opensMenuAt(corner[0], corner[1])
	s.offers("select-all")
	s.click(button("menu-" + choice))
}
