package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onLine is a point on the line of a relation, on the screen, that nothing
// lies over.
func (b *tab) onLine(key string) (x, y float64) {
	b.t.Helper()
	selector := `.edge[aria-label*="` + key + `"]`
	b.has(selector)
	b.rests()
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
	s.sees("Dropped foreign key") // which leaves by itself
	s.press(button("toast-action"))
	s.enabled(button("redo"))
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
	}`, nil)
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

// Who turns the single keys off has the others, is told which are off, and
// finds it so after a reload.
func TestSingleKeyShortcutsAreTurnedOff(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.key("?")
	s.has(button("single-keys") + ":checked")
	s.click(button("single-keys"))
	s.has(button("single-keys") + ":not(:checked)")
	s.sees("Show the shortcuts: off")
	s.screenshot("single-keys-off")
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.lacks(button("help"))
	s.reload()
	s.has(tableBox("boat"))
	s.rests()
	s.key("?")
	s.click(tableTitle("boat"))
	s.selects("boat")
	s.key("Escape")
	s.selects()
	s.lacks(button("help"))
	s.key("ctrl+a")
	s.selects("bill", "boat", "stay", "weather")

	s.click(button("help-button"))
	s.click(button("single-keys"))
	s.key("Escape")
	s.lacks(button("help"))
	s.key("?")
	s.has(button("help"))
}

// opensMenu presses the right button on an element.
func (b *tab) opensMenu(selector string) {
	b.t.Helper()
	x, y := b.point(selector)
	b.opensMenuAt(x, y)
}

func (b *tab) opensMenuAt(x, y float64) {
	b.t.Helper()
	b.run(chromedp.MouseClickXY(x, y, chromedp.ButtonRight))
}

// offers waits for a menu that has these, all of it in the window, with the
// first of it in the focus.
func (b *tab) offers(choices ...string) {
	b.t.Helper()
	for _, choice := range choices {
		b.has(button("menu") + " " + button("menu-"+choice))
	}
	b.eventually(`() => {
		const r = document.querySelector("[data-testid=menu]").getBoundingClientRect();
		return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight && document.activeElement === document.querySelector("[data-testid=menu] button");
	}`)
}

// Everything on the canvas and in the outline has a menu, which the right
// button, a long press and the keyboard open.
func TestEverythingHasAContextMenu(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.opensMenu(tableTitle("boat"))
	s.offers("edit-table", "rename-table", "drop-table")
	s.selects("boat")
	s.looksGood("menu", false)
	s.hasNoSeriousBarrier()
	s.key("End")
	s.has(button("menu-drop-table") + ":focus")
	s.key("Escape")
	s.lacks(button("menu"))
	s.has(tableBox("boat") + ":focus")

	s.tab.run(chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(kb.ModifierShift)))
	s.offers("edit-table")
	s.key("ArrowUp")
	s.key("Enter") // the last of it
	s.has(button("confirm"))
	s.lacks(button("menu"))
	s.key("Escape")
	s.lacks(button("confirm"))

	s.opensMenu(columnRow("boat.name") + " .type")
	s.offers("edit-column", "drop-column", "edit-table")
	s.click(button("menu-edit-column"))
	s.eventually(`s => document.querySelector(s)?.value === "name"`, button("column-name"))
	s.opensMenu(button("column-name")) // which has the browser's own
	s.key("Escape")
	s.lacks(button("table-form"))
	s.lacks(button("menu"))
	s.rests()

	x, y := s.onLine("stay refers to main.boat")
	s.opensMenuAt(x, y)
	s.offers("edit-relation", "go-to-parent", "go-to-child", "delete-relation")
	s.has(chosenEdge)
	s.key("Escape")
	s.click(tableTitle("boat"))
	s.adds(tableTitle("weather"))
	s.opensMenu(columnRow("weather.wind") + " .type")
	s.offers("link-tables", "only-these", "drop-tables")
	s.key("Escape")
	s.menusOfTheRest()
}

// menusOfTheRest looks at those of the canvas, a note and the outline.
func (s *studio) menusOfTheRest() {
	s.t.Helper()
	corner := eval[[]float64](s.tab, `() => { const r = document.querySelector(".react-flow__pane").getBoundingClientRect(); return [r.right - 200, r.bottom - 40] }`, nil)
	s.opensMenuAt(corner[0], corner[1])
	s.offers("table", "area", "note", "paste", "select-all", "fit")
	s.screenshot("menu-canvas")
	s.click(button("menu-note"))
	s.has(button("item-text") + ":focus")
	s.typed("Low tide")
	s.key("ctrl+Enter")
	s.has(button("note-card") + ":focus")
	s.click(button("fit")) // it reaches beyond the corner
	s.rests()
	s.opensMenu(button("note-body"))
	s.offers("edit-item", "colour-red", "remove-item")
	s.click(button("menu-colour-red"))
	s.has(".item.note.paint-red")

	s.click(button("outline-switch"))
	s.opensMenu(button("outline-main.bill"))
	s.offers("press-row", "related-only", "hide-table")
	s.click(button("menu-hide-table"))
	s.lacks(tableBox("bill"))
	s.opensMenu(button("outline-search"))
	s.lacks(button("menu"))

	x, y := s.point(tableTitle("stay"))
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		tell(s.tab, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)})
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	s.offers("edit-table", "hide-table")
	touch(input.DispatchTouchEventTypeTouchEnd)
	s.click(button("menu-hide-table"))
	s.lacks(tableBox("stay"))
}

// A column has its menu by keys alone, and a saved view has one.
func TestColumnsAndViewsHaveMenusByKeys(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	asks := func() { s.tab.run(chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(kb.ModifierShift))) }
	s.click(tableTitle("boat"))
	s.reach("Tab", tableBox("boat"))
	s.key("alt+ArrowDown")
	s.has(columnRow("boat.id") + ":focus")
	s.key("ArrowDown")
	s.has(columnRow("boat.name") + ":focus")
	s.looksGood("column-focus", false)
	asks()
	s.offers("rename-column", "drop-column", "edit-table")
	s.eventually(`() => document.querySelector("[data-testid=menu] .menu-title").textContent === "boat.name"`)
	s.looksGood("column-menu", false)
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.has(columnRow("boat.name") + ":focus")
	s.key("F2")
	s.has(columnRow("boat.name") + " " + button("rename") + ":focus")
	s.key("Escape")
	s.lacks(button("rename"))
	s.reach("Tab", tableBox("boat"))
	s.key("alt+ArrowDown")
	s.has(columnRow("boat.id") + ":focus")
	s.key("End")
	s.has(columnRow("boat.name") + ":focus")
	s.key("alt+ArrowUp")
	s.has(tableBox("boat") + ":focus")

	s.click(button("outline-switch"))
	s.click(button("add-view"))
	s.savedAs("Quay")
	s.reach("Tab", button("view-Quay"))
	asks()
	s.offers("show-view", "rename-view", "remove-view")
	s.looksGood("view-menu", false)
	s.click(button("menu-rename-view"))
	s.savedAs("Pier")
	s.opensMenu(button("view-Pier"))
	s.offers("show-view")
	s.click(button("menu-remove-view"))
	s.lacks(button("view-Pier"))
}

// A table that is taller than the canvas: the column that the keyboard goes to
// is in view.
func TestAColumnThatTheKeyboardGoesToIsInView(t *testing.T) {
	columns := make([]string, 29)
	for i := range columns {
		columns[i] = fmt.Sprintf("c%02d INTEGER", i)
	}
	s := newStudio(t, "CREATE TABLE ledger ("+strings.Join(columns, ", ")+");")
	s.arranged()
	inView := `s => {
		const row = document.querySelector(s + ":focus")?.getBoundingClientRect();
		const canvas = document.querySelector(".react-flow").getBoundingClientRect();
		return row && row.top >= canvas.top && row.bottom <= canvas.bottom && row.left >= canvas.left;
	}`
	for range 3 {
		s.click("[aria-label='Zoom in']")
		s.rests()
	}
	s.reach("Tab", tableBox("ledger"))
	tall := eval[bool](s.tab, `s => document.querySelector(s).getBoundingClientRect().height > document.querySelector(".react-flow").clientHeight`, tableBox("ledger"))
	require.True(t, tall)
	for _, to := range []struct{ key, column string }{{"alt+ArrowDown", "c00"}, {"End", "c28"}, {"ArrowUp", "c27"}, {"Home", "c00"}} {
		s.key(to.key)
		s.has(columnRow("ledger."+to.column) + ":focus")
		s.eventually(inView, columnRow("ledger."+to.column))
	}
}
