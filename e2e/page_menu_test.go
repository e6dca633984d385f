package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onLine is a point on the line of a relation, on the screen, that nothing
// lies over.
func (b *tab) onLine(key string) (x, y float64) {
	b.t.Helper()
	selector := `.edge[aria-label*="` + key + `"]`
	b.has(selector)
	at := eval[[]float64](b, `s => {
		const path = document.querySelector(s + " .hit");
		const length = path.getTotalLength();
		for (let i = 1; i < 40; i++) {
			const p = path.getPointAtLength(length * i / 40).matrixTransform(path.getScreenCTM());
			if (document.elementFromPoint(p.x, p.y) === path) return [p.x, p.y];
		}
		return [];
	}`, selector)
	require.NotEmpty(b.t, at, "all of the line is covered")
	return at[0], at[1]
}

// presses presses the mouse so many times at a point.
func (b *tab) presses(x, y float64, times int) {
	b.t.Helper()
	for i := 1; i <= times; i++ {
		b.run(chromedp.MouseClickXY(x, y, chromedp.ClickCount(i)))
	}
}

const chosenEdge = `.edge.chosen[aria-selected=true]`

// A relation is selected by a press on its line, with what can be done about it
// below the canvas, and by keys alone.
func TestARelationIsSelectedAndWorkedWith(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.lacks(chosenEdge)
	x, y := s.onLine("stay refers to main.boat")
	s.presses(x, y, 1)
	s.has(chosenEdge + `[aria-label*="stay refers to main.boat"]`)
	s.has(button("relation-actions"))
	s.looksGood("relation", false)
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.lacks(chosenEdge)
	s.lacks(button("relation-actions"))

	s.presses(x, y, 1)
	s.click(button("go-to-parent"))
	s.selects("boat")
	s.has(tableBox("boat") + ":focus")
	s.key("alt+r")
	s.has(chosenEdge + `[aria-label*="stay refers to main.boat"]:focus`)
	s.key("ArrowDown")
	s.has(chosenEdge + `[aria-label*="bill refers to main.stay"]:focus`)
	s.click(button("go-to-child"))
	s.selects("bill")
	s.key("alt+r")
	s.has(chosenEdge + ":focus")
	s.key("Enter")
	s.has(button("relation-form"))
	s.key("Escape")
	s.lacks(button("relation-form"))

	x, y = s.onLine("stay refers to main.boat")
	s.presses(x, y, 1)
	s.click(button("delete-relation"))
	s.press(button("confirm-yes"))
	s.sees("Dropped foreign key")
	s.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 1`)
	s.press(button("toast-action"))
	s.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 2`)
	s.agrees()
}

// A double click does the obvious wherever it is.
func TestADoubleClickDoesTheObvious(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.presses(s.beside(tableBox("boat") + " .head"))
	s.has(tableBox("boat") + " " + button("rename"))
	s.key("Escape")
	s.lacks(button("rename"))
	s.click(columnRow("boat.name")+" .type", 2)
	s.has(button("column-form"))
	s.eventually(`s => document.querySelector(s).value === "name"`, button("column-name"))
	s.key("Escape")
	s.lacks(button("table-form"))
	s.rests()
	x, y := s.onLine("stay refers to main.boat")
	s.presses(x, y, 2)
	s.has(button("relation-form"))
	s.key("Escape")
	s.lacks(button("relation-form"))
	s.rests()

	at := eval[[]float64](s.tab, `() => {
		const pane = document.querySelector(".react-flow__pane").getBoundingClientRect();
		const [x, y] = [pane.x + 30, pane.bottom - 60];
		return document.elementFromPoint(x, y).className.includes("react-flow__pane") ? [x, y] : [];
	}`)
	require.NotEmpty(t, at)
	place := eval[[]float64](s.tab, `(x, y) => {
		const m = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform);
		const pane = document.querySelector(".react-flow").getBoundingClientRect();
		return [(x - pane.x - m.e) / m.a, (y - pane.y - m.f) / m.d];
	}`, at[0], at[1])
	s.presses(at[0], at[1], 2)
	s.has(button("table-name") + ":focus")
	s.typed("pier")
	s.key("Enter")
	s.has(tableBox("pier"))
	s.agrees()
	s.rests()
	got := eval[[]float64](s.tab, `s => {
		const m = new DOMMatrix(getComputedStyle(document.querySelector(s).closest(".react-flow__node")).transform);
		return [m.e, m.f];
	}`, tableBox("pier"))
	assert.InDelta(t, place[0], got[0], 2, "it is where it was asked for")
	assert.InDelta(t, place[1], got[1], 2, "it is where it was asked for")
}

// beside is a point at the end of an element, for a double click.
func (b *tab) beside(selector string) (x, y float64, times int) {
	b.t.Helper()
	b.point(selector)
	at := eval[[]float64](b, `s => { const r = document.querySelector(s).getBoundingClientRect(); return [r.right - 6, r.y + r.height / 2] }`, selector)
	return at[0], at[1], 2
}
