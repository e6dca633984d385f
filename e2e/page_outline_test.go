package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// outlined waits until the outline lists just this, in the words that a screen
// reader has: "customer, 2 columns, changed: 1 column".
func (b *tab) outlined(rows ...string) {
	b.t.Helper()
	b.eventually(`rows => JSON.stringify([...document.querySelectorAll("[data-testid=outline] [role=treeitem]")].map(`+readRow+`)) === JSON.stringify(rows)`, rows)
}

// readRow is what a row says to who cannot see it.
const readRow = `row => { const read = row.cloneNode(true); read.querySelectorAll("[aria-hidden]").forEach(e => e.remove()); return read.textContent }`

// outlineRow is the row of a table of the schema main.
func outlineRow(table string) string { return button("outline-main." + table) }

// counts waits for what the line above the canvas says is shown.
func (b *tab) counts(text string) {
	b.t.Helper()
	b.eventually(`text => document.querySelector("[data-testid=shown-count]")?.textContent === text`, text)
}

func TestTheOutlineFindsAndShowsTables(t *testing.T) {
	s := newStudio(t, quay)
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)", "weather(day wind)")
	s.lacks(button("outline"))
	s.click(button("outline-switch"))
	s.has(button("outline-search") + ":focus")
	s.outlined("main, 4 tables", "bill, 2 columns", "boat, 2 columns", "stay, 2 columns", "weather, 2 columns")

	s.apply(addTable("invoice"), map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}},
		map[string]any{"op": "add_column", "table": map[string]any{"name": "boat"}, "column": map[string]any{"name": "length", "dataType": "INTEGER"}})
	s.outlined("main, 5 tables", "bill, 2 columns", "boat, 3 columns, changed: 1 column", "invoice, 1 column, new table", "stay, 2 columns", "weather, dropped")
	s.hasNoSeriousBarrier()
	for _, scheme := range []string{"light", "dark"} {
		s.size(1280, 800, scheme)
		s.looksGood(scheme, false)
		s.fits(button("outline"), scheme+"-outline")
	}
	s.click(button("outline-changed"))
	s.outlined("main, 3 tables", "boat, 3 columns, changed: 1 column", "invoice, 1 column, new table", "weather, dropped")
	s.click(button("outline-changed"))

	s.write(button("outline-search"), "boat")
	s.outlined("main, 2 tables", "boat, 3 columns, changed: 1 column", "stay, 2 columns, found: boat_id")
	s.eventually(`() => document.querySelector("[data-testid=outline-found]").textContent === "2 of 5 tables"`)
	s.screenshot("search")
	s.click(outlineRow("stay"))
	s.selects("stay")
	s.has(outlineRow("stay") + "[aria-selected=true]")
	s.write(button("outline-search"), "boat")
	s.key("Escape")
	s.has(outlineRow("bill"))

	s.click(outlineRow("weather")) // it is no more: what is known of it is in the changes
	s.has(button("panel-changes"))
}

func TestTheOutlineIsUsedByKeys(t *testing.T) {
	s := newStudio(t, quay)
	s.has(tableBox("bill"))
	s.key("alt+o")
	s.has(button("outline-search") + ":focus")
	s.key("Enter") // into the tree
	at := func(row string) {
		t.Helper()
		s.eventually(`row => {
			const tree = document.activeElement;
			return tree.getAttribute("role") === "tree" && (`+readRow+`)(document.getElementById(tree.getAttribute("aria-activedescendant"))) === row;
		}`, row)
	}
	at("main, 4 tables")
	s.key("ArrowDown")
	s.key("ArrowDown")
	at("boat, 2 columns")
	s.key("Enter")
	s.selects("boat")
	s.screenshot("keys")
	s.key("Delete") // is for no table on the canvas
	s.key("ArrowDown")
	s.key("Enter")
	s.selects("stay")
	s.lacks(button("confirm"))
	s.key("ArrowLeft")
	at("main, 4 tables")
	s.key("ArrowLeft")
	s.outlined("main, 4 tables")
	s.key("ArrowRight")
	s.outlined("main, 4 tables", "bill, 2 columns", "boat, 2 columns", "stay, 2 columns", "weather, 2 columns")
	s.key("ArrowDown")
	s.key("Tab") // to what is done with the row
	s.has(button("tools-bill") + " " + button("outline-near") + ":focus")
	s.key("Enter")
	s.counts("2 of 4 tables shown")

	s.reach("shift+Tab", button("outline-search"))
	s.key("ArrowDown")
	s.key("w") // is searched for
	s.eventually(`() => document.activeElement.value === "w"`)
	s.outlined("main, 1 table", "weather, 2 columns, not shown on the canvas")
	s.key("alt+o")
	s.lacks(button("outline"))
	s.has(button("outline-switch") + ":focus")
}

func TestTheOutlineStaysAsItWas(t *testing.T) {
	s := newStudio(t, quay)
	s.click(button("outline-switch"))
	wide := func() float64 {
		return eval[float64](s.tab, `document.querySelector("[data-testid=outline]").getBoundingClientRect().width`)
	}
	s.has(button("outline-search") + ":focus")
	before := wide()
	x, y := s.point(button("resize-outline"))
	s.dragTo(x, y, x+90, y)
	assert.InDelta(t, before+90, wide(), 2)
	s.reach("shift+Tab", button("resize-outline"))
	s.key("ArrowLeft")
	after := wide()
	assert.Less(t, after, before+90)
	s.reload()
	s.has(button("outline-tree"))
	assert.InDelta(t, after, wide(), 1, "its width")
	s.click(button("close-outline"))
	s.lacks(button("outline"))
	s.reload()
	s.has(tableBox("boat"))
	s.lacks(button("outline"))
}

func TestOnAPhoneTheOutlineIsASheet(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	for _, scheme := range []string{"light", "dark"} {
		s.size(390, 844, scheme)
		s.click(button("outline-switch"))
		s.has(outlineRow("weather"))
		s.looksGood("outline-"+scheme, true)
		s.fits(button("outline"), "sheet-"+scheme)
		s.click(outlineRow("boat") + " .outline-name")
		s.selects("boat")
		s.lacks(button("outline"))
		s.looksGood("chosen-"+scheme, true)
	}
	s.click(button("outline-switch"))
	s.has(outlineRow("weather"))
	s.do(button("tab-activity")) // takes its place
	s.lacks(button("outline"))
	s.click(button("outline-switch"))
	s.has(outlineRow("weather"))
	s.lacks(button("panel-activity"))
	s.click(button("tools-boat") + " " + button("outline-near"))
	s.lacks(button("outline"))
	s.counts("2 of 4 tables shown")
	s.looksGood("near", true)
	s.click(button("outline-switch"))
	s.has(outlineRow("weather") + ".off")
	s.looksGood("near-outline", true)
	s.reload()
	s.has(tableBox("boat"))
	s.lacks(button("outline")) // which would cover what is opened
}

// Of a thousand tables only what is in view is there.
func TestTheOutlineOfAThousandTables(t *testing.T) {
	s := newStudio(t, thousandTables())
	s.arranged()
	s.click(button("outline-switch"))
	rendered := func() int { return eval[int](s.tab, `document.querySelectorAll("[role=treeitem]").length`) }
	s.has(`[role=treeitem][aria-setsize="1000"]`)
	assert.Less(t, rendered(), 100)
	s.screenshot("outline")
	s.key("ArrowDown")
	s.key("End")
	s.has(`[role=treeitem][aria-posinset="1000"]`)
	assert.Less(t, rendered(), 100)
	s.eventually(`() => {
		const row = document.querySelector("[aria-posinset='1000']").getBoundingClientRect(), tree = document.querySelector("[role=tree]").getBoundingClientRect();
		return row.top >= tree.top && row.bottom <= tree.bottom + 1;
	}`)
	s.write(button("outline-search"), "oslo_production")
	s.click(outlineRow("oslo_production"))
	s.selects("oslo_production")
	s.has(tableBox("oslo_production") + " .rows")
	s.screenshot("shown")
	for steps := 1; steps <= 3; steps++ {
		if steps == 1 {
			s.click(button("related-only"))
		} else {
			s.choose(button("near-steps"), fmt.Sprint(steps))
		}
		s.has(button("shown-line"))
		s.rests()
		s.screenshot(fmt.Sprintf("near-%d", steps))
	}
	s.click(button("show-all"))
	s.lacks(button("shown-line"))
	s.looksGood("all", false)
}

func TestTheCanvasShowsWhatIsNearATable(t *testing.T) {
	s := newStudio(t, quay)
	all := []string{"bill(id stay_id)", "boat(id name)", "stay(id boat_id)", "weather(day wind)"}
	s.shows(all...)
	s.lacks(button("shown-line"))
	s.click(tableTitle("boat"))
	s.click(button("related-only"))
	s.shows("boat(id name)", "stay(id boat_id)")
	s.counts("2 of 4 tables shown")
	s.choose(button("near-steps"), "2")
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)")
	s.counts("3 of 4 tables shown")
	s.hasNoSeriousBarrier()
	s.looksGood("near", false)

	s.click(tableTitle("bill"))
	s.click(button("hide-table"))
	s.shows("boat(id name)", "stay(id boat_id)")
	s.sees("1 hidden")
	s.key("ctrl+f")
	s.typed("weather")
	s.has(button("search-hit"))
	s.key("Enter") // what is asked for by name is shown, and the rest stays as it is
	s.shows("boat(id name)", "stay(id boat_id)", "weather(day wind)")
	s.counts("3 of 4 tables shown")
	s.looksGood("also", false)

	s.click(button("outline-switch"))
	s.has(outlineRow("bill") + ".off")
	s.screenshot("outline")
	s.click(outlineRow("bill"))
	s.selects("bill")
	s.shows(all...)
	s.click(button("show-all"))
	s.lacks(button("shown-line"))
	s.shows(all...)
}

// A table that the agent drops is the centre of nothing any more.
func TestWhatWasNearADroppedTableIsAll(t *testing.T) {
	s := newStudio(t, quay)
	s.click(tableTitle("weather"))
	s.click(button("related-only"))
	s.shows("weather(day wind)")
	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}})
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)")
	s.lacks(button("shown-line"))
}

// What is near stands together in its view, wherever it stands among all, and
// the layout stays as it is.
func TestWhatIsNearStandsTogetherAndTheLayoutStays(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	x, y := s.point(tableTitle("stay"))
	s.dragTo(x, y, x, y+250)
	s.click(button("fit"))
	s.rests()
	laid := s.places()
	apart := func(a, b string) float64 {
		return eval[float64](s.tab, `(a, b) => {
			const at = s => { const m = new DOMMatrix(getComputedStyle(document.querySelector(s).closest(".react-flow__node")).transform); return [m.e, m.f] };
			const [p, q] = [at(a), at(b)];
			return Math.hypot(p[0] - q[0], p[1] - q[1]);
		}`, tableBox(a), tableBox(b))
	}
	far := apart("boat", "stay")
	s.click(tableTitle("boat"))
	s.click(button("related-only"))
	s.shows("boat(id name)", "stay(id boat_id)")
	s.eventually(`far => {
		const at = [...document.querySelectorAll(".react-flow__node")].map(n => new DOMMatrix(getComputedStyle(n).transform));
		return at.length === 2 && Math.hypot(at[0].e - at[1].e, at[0].f - at[1].f) < far - 20;
	}`, far)
	s.rests()
	x, y = s.point(tableTitle("stay"))
	s.dragTo(x, y, x+30, y+60) // is of this view alone
	s.screenshot("moved")
	s.click(button("show-all"))
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)", "weather(day wind)")
	s.rests()
	assert.Equal(t, laid, s.places())
	s.reload()
	s.has(tableBox("weather"))
	s.rests()
	assert.Equal(t, laid, s.places())
}
