package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// countClicks counts what the mouse presses in the tab from now on.
func (b *tab) countClicks() func() int {
	b.t.Helper()
	eval[bool](b, `(window.clicks = 0, addEventListener("pointerdown", () => window.clicks++, true), true)`)
	return func() int { return eval[int](b, "window.clicks") }
}

// A table of six columns is made beside the diagram: two clicks, the rest keys,
// and nothing stands before the canvas meanwhile.
func TestSixColumnsTakeFewClicksBesideTheDiagram(t *testing.T) {
	s := newStudio(t, `CREATE TABLE album (album_id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT);`)
	s.arranged()
	clicks := s.countClicks()
	s.click(button("add-table"))
	s.has(button("table-name") + ":focus")
	s.typed("orders")
	s.eventually(`() => document.querySelector("[data-testid=table-key]").value === "orders_id"`)
	s.press(`[data-testid=new-table] [data-testid=save]`)
	s.has(button("name-new") + ":focus")
	s.lacks("dialog[open]")
	for i, column := range []struct{ name, dataType string }{{"customer", "INTEGER"}, {"state", "VARCHAR(20)"}, {"placed_at", "TEXT"}, {"total", "NUMERIC"}, {"note", "TEXT"}} {
		s.typed(column.name)
		s.key("Tab")
		s.typed(column.dataType)
		if i == 1 { // a default and not null, by keys too
			s.key("Tab")
			s.key("Tab")
			s.key("Space")
			s.key("Tab")
			s.key("Tab")
			s.typed("'open'")
		}
		s.key("Enter")
		s.eventually(`() => document.activeElement?.dataset.testid === "name-new" && document.activeElement.value === ""`)
	}
	s.shows("album(album_id title)", "artist(artist_id name)", "orders(orders_id customer state placed_at total note)")
	s.lacks("dialog[open]")
	assert.LessOrEqual(t, clicks(), 8)
	t.Log("clicks for six columns:", clicks())
	s.eventually(`s => {
		const [r, f] = [document.querySelector(s).getBoundingClientRect(), document.querySelector(".plane").getBoundingClientRect()];
		return r.left >= f.left && r.right <= f.right && r.top >= f.top && r.bottom <= f.bottom;
	}`, tableBox("orders"))
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "orders"}}, "options": map[string]any{"includeColumns": "full"}})
	assert.Contains(t, got.text, `"defaultValue":"'open'"`)
	s.agrees()
	for _, w := range []struct {
		width, height int64
		scheme        string
	}{{390, 844, "light"}, {640, 450, "light"}, {700, 800, "dark"}, {1280, 800, "light"}, {1280, 800, "dark"}, {1760, 1000, "light"}, {1760, 1000, "dark"}} {
		s.size(w.width, w.height, w.scheme)
		s.fits(".editor", fmt.Sprintf("%d-%s", w.width, w.scheme))
		s.looksGood(fmt.Sprintf("%d-%s-all", w.width, w.scheme), w.width < 600)
	}
	s.do(button("turn-editor"))
	s.has(".editor.side")
	s.fits(".editor", "side")
	before := eval[float64](s.tab, `document.querySelector(".editor").offsetWidth`)
	eval[bool](s.tab, `(document.querySelector("[data-testid=resize-editor]").focus(), true)`)
	s.key("ArrowLeft")
	s.eventually(`w => document.querySelector(".editor").offsetWidth === w + 24`, before)
	s.hasNoSeriousBarrier()
	s.do(button("turn-editor"))
	s.has(".editor.below")
	s.hasNoSeriousBarrier()
}

// Cells are edited in their place, each a step; what others did meanwhile to
// the same cell is asked about.
func TestTheGridEditsColumnsInTheirPlace(t *testing.T) {
	s := newStudio(t, twoTables)
	s.arranged()
	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.write(button("name-name"), "label")
	s.key("Tab")
	s.shows("customer(id label)", "purchase(id customer_id)")
	s.has(button("dataType-label") + ":focus")
	s.click(button("isUnique-label"))
	s.eventually(`() => document.querySelector("[data-testid=isUnique-label]").checked`)
	s.agrees()
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "customer"}}, "options": map[string]any{"includeColumns": "full"}})
	assert.Contains(t, got.text, `"isUnique":true`)

	s.click(button("name-label"))
	s.key("ctrl+a")
	s.typed("mine")
	s.renameColumn("customer", "label", "theirs")
	s.shows("customer(id theirs)", "purchase(id customer_id)")
	s.key("Enter")
	s.has(button("clash"))
	s.press(button("keep-theirs"))
	s.shows("customer(id theirs)", "purchase(id customer_id)")

	s.click(button("name-new"))
	s.pasted("street varchar(80) not null default ''\ncity text,\nzip\tvarchar(10)")
	s.shows("customer(id theirs street city zip)", "purchase(id customer_id)")
	s.click(button("select-column-street"))
	s.click(button("select-column-zip"))
	s.screenshot("selected")
	s.press(button("chosen-drop"))
	s.shows("customer(id theirs city)", "purchase(id customer_id)")
	s.agrees()

	s.click(tableTitle("purchase"))
	s.has(button("name-customer_id"))
	s.lacks("dialog[open]")
}

// pasted pastes a text where the focus is.
func (b *tab) pasted(text string) {
	b.t.Helper()
	eval[bool](b, `text => {
		const data = new DataTransfer();
		data.setData("text", text);
		return document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})) || true;
	}`, text)
}

// Rows that a person selects before the instance has answered stay selected
// once it has given their columns ids.
func TestARowStaysSelectedWhenTheInstanceNamesItsColumn(t *testing.T) {
	s := newStudio(t, twoTables)
	s.arranged()
	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.click(button("name-new"))
	freeze(t, s.in)
	s.pasted("street text\ncity text")
	s.click(button("select-column-street"))
	thaw(t, s.in)
	s.agrees()
	s.press(button("chosen-drop"))
	s.shows("customer(id name city)", "purchase(id customer_id)")
	s.agrees()
}
