package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quay has four tables, of which three hang together.
const quay = `
	CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT);
	CREATE TABLE stay (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat (id));
	CREATE TABLE bill (id INTEGER PRIMARY KEY, stay_id INTEGER REFERENCES stay (id));
	CREATE TABLE weather (day TEXT PRIMARY KEY, wind INTEGER);`

// selects waits until exactly these tables are selected.
func (b *tab) selects(names ...string) {
	b.t.Helper()
	want := []string{}
	for _, n := range names {
		want = append(want, "table-main."+n)
	}
	b.eventually(`names => JSON.stringify([...document.querySelectorAll(".table.selected")].map(t => t.dataset.testid).sort()) === JSON.stringify(names.sort())`, want)
}

func TestALinkLeadsToATable(t *testing.T) {
	s := newStudio(t, quay)
	s.has(tableBox("bill"))
	other := s.another()
	other.goTo(s.in.URL + "#table=main.bill")
	other.selects("bill")
	other.has(button("table-actions"))

	s.click(tableTitle("stay"))
	s.selects("stay")
	s.eventually(`() => location.hash.includes("table=main.stay")`)
	s.reload()
	s.selects("stay")
	eval[bool](s.tab, `(location.hash = "#table=main.nowhere", true)`)
	s.sees("There is no table main.nowhere")
}

// typedAndEntered types into the search and presses Enter before the list of
// hits has followed, as a fast typist does on a busy machine.
const typedAndEntered = `async text => {
	const input = document.querySelector("[data-testid=search-input]")
	Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, text)
	input.dispatchEvent(new Event("input", {bubbles: true}))
	await null
	input.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}))
	return true
}`

func TestTheCanvasIsSearchedFilteredAndArranged(t *testing.T) {
	s := newStudio(t, quay)
	all := []string{"bill(id stay_id)", "boat(id name)", "stay(id boat_id)", "weather(day wind)"}
	s.shows(all...)

	s.key("ctrl+f")
	s.has(button("search-input"))
	s.typed("boat_")
	s.has(button("search-hit"))
	s.screenshot("search")
	s.key("Enter")
	s.selects("stay")
	s.lacks(button("search-input"))

	s.key("ctrl+f")
	s.typed("boat_")
	s.has(button("search-hit"))
	eval[bool](s.tab, typedAndEntered, "weather")
	s.selects("weather")
	s.key("ctrl+f")
	eval[bool](s.tab, typedAndEntered, "boat_")
	s.selects("stay")

	s.click(button("related-only"))
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)")
	s.click(button("filter"))
	s.screenshot("filter")
	s.press(button("filter-clear"))
	s.shows(all...)
	s.key("Escape")
	s.lacks(button("filter-menu"))
	s.click(button("filter"))
	s.has(button("filter-menu"))
	s.clickBeside()
	s.lacks(button("filter-menu"))

	s.key("Escape")
	s.key("ctrl+a")
	s.selects("bill", "boat", "stay", "weather")
	s.key("Escape")
	s.selects()

	x, y := s.point(tableBox("weather") + ` .head`)
	s.dragTo(x, y, x+40, y+260)
	moved := s.places()
	s.click(button("arrange"))
	s.sees("Arranged 4 tables.")
	s.screenshot("arranged")
	assert.NotEqual(t, moved, s.places())
	s.press(button("toast") + " .button")
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.Equal(c, moved, s.places()) }, patience, tick)
}

func TestArrangingWithoutTheInstanceFailsAloudAndWorksLater(t *testing.T) {
	s := newStudio(t, quay)
	s.expectOffline()
	s.arranged()
	b := s.page(s.in) // a browser that has nothing to arrange, so it has not loaded the worker
	b.expectOffline()
	b.expect("dynamically imported module")
	b.has(tableBox("weather"))
	s.in.kill()
	b.has(button("offline"))
	before := b.places()
	b.click(button("arrange"))
	b.sees("could not be arranged")
	assert.Equal(t, before, b.places())
	s.in = s.serve(s.root)
	b.lacks(button("offline"))
	b.click(button("arrange"))
	b.sees("Arranged 4 tables.")
}

// places are where the tables stand on the canvas, by their ids, in pixels of
// it.
func (b *tab) places() map[string][2]float64 {
	b.t.Helper()
	return eval[map[string][2]float64](b, `Object.fromEntries([...document.querySelectorAll(".react-flow__node")].map(n => {
		const at = new DOMMatrix(getComputedStyle(n).transform);
		return [n.dataset.id, [Math.round(at.e), Math.round(at.f)]];
	}))`)
}

// A rename that is taken back leads to a version that was there before.
func TestATableIsRenamedAndRenamedBack(t *testing.T) {
	s := newStudio(t, twoTables)
	other := s.another()
	other.goTo(s.in.URL)
	for range 8 {
		s.rename(tableTitle("customer"), "client")
		s.shows("client(id name)", "purchase(id customer_id)")
		s.rename(tableTitle("client"), "customer")
		s.shows("customer(id name)", "purchase(id customer_id)")
	}
	s.agrees()
	other.shows("customer(id name)", "purchase(id customer_id)")
}
