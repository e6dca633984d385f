package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// adds clicks with Shift, which takes a table into what is selected.
func (b *tab) adds(selector string) { b.addsWith("Shift", kb.ModifierShift, selector) }

// addsWith presses it while a key is held.
func (b *tab) addsWith(held string, modifier chromedp.Modifier, selector string) {
	b.t.Helper()
	x, y := b.point(selector)
	press := func(kind input.DispatchKeyEventType) {
		tell(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: held, Code: held + "Left"})
	}
	press(input.DispatchKeyEventTypeKeyDown)
	b.run(chromedp.MouseClickXY(x, y, chromedp.ButtonModifiers(modifier)))
	press(input.DispatchKeyEventTypeKeyUp)
}

// copied is the text that the page puts on the clipboard when somebody copies.
func (b *tab) copied() string {
	b.t.Helper()
	return eval[string](b, `(() => {
		const data = new DataTransfer();
		document.body.dispatchEvent(new ClipboardEvent("copy", {clipboardData: data, bubbles: true, cancelable: true}));
		return data.getData("text/plain");
	})()`)
}

// pastes pastes a text beside all fields.
func (b *tab) pastes(text string) {
	b.t.Helper()
	eval[bool](b, `text => {
		const data = new DataTransfer();
		data.setData("text/plain", text);
		document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
		return true;
	}`, text)
}

func TestATableIsDuplicatedAndUndoneAsOne(t *testing.T) {
	s := newStudio(t, quay+`CREATE UNIQUE INDEX stay_boat ON stay (boat_id);`)
	s.arranged()
	s.click(tableTitle("stay"))
	s.click(button("duplicate-table"))
	s.has(columnRow("stay_copy.boat_id"))
	s.selects("stay_copy")
	s.sees("Added stay_copy.")
	s.agrees()
	assert.Equal(t, 3, eval[int](s.tab, `document.querySelectorAll("[data-testid=edge]").length`), "the copy refers to boat, too")
	s.looksGood("duplicated", false)
	s.press(button("toast-action"))
	s.lacks(tableBox("stay_copy"))
	s.agrees()
}

// What one gesture made is one step of undo and redo: several tables with their
// indexes and foreign keys. An agent's call goes edit by edit.
func TestPastedTablesAreOneStepOfUndoAndRedo(t *testing.T) {
	s := newStudio(t, quay+`CREATE UNIQUE INDEX stay_boat ON stay (boat_id);`)
	s.arranged()
	boat := map[string]any{"name": "boat"}
	s.apply(map[string]any{"op": "add_column", "table": boat, "column": map[string]any{"name": "flag", "dataType": "TEXT"}},
		map[string]any{"op": "add_column", "table": boat, "column": map[string]any{"name": "hull", "dataType": "TEXT"}})
	s.has(columnRow("boat.hull"))
	s.click(tableTitle("stay"))
	s.adds(tableTitle("bill"))
	s.selects("bill", "stay")
	s.pastes(s.copied())
	s.has(tableBox("stay_copy"))
	s.has(tableBox("bill_copy"))
	s.agrees()
	s.key("ctrl+z")
	s.lacks(tableBox("bill_copy"))
	s.lacks(tableBox("stay_copy"))
	s.has(columnRow("boat.hull"))
	s.agrees()
	s.key("ctrl+shift+z")
	s.has(tableBox("bill_copy"))
	s.has(tableBox("stay_copy"))
	s.agrees()
	s.reload()
	s.has(tableBox("stay_copy"))
	s.key("ctrl+z")
	s.lacks(tableBox("stay_copy"))
	s.has(columnRow("boat.hull"))
	s.key("ctrl+z")
	s.lacks(columnRow("boat.hull"))
	s.has(columnRow("boat.flag"))
	s.agrees()
}

// What is copied goes into another project with what belongs together, and the
// page says what cannot.
func TestTablesAreCopiedIntoAnotherProject(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	assert.Empty(t, s.copied(), "nothing is selected")
	s.click(tableTitle("stay"))
	s.addsWith("Control", kb.ModifierCtrl, tableTitle("bill"))
	s.selects("bill", "stay")
	text := s.copied()
	s.sees("Copied 2 tables.")

	other := studioAt(t, s.world, s.world.project("other", `CREATE TABLE stay (id INTEGER PRIMARY KEY);`))
	other.arranged() // it listens by then
	other.pastes(text)
	other.has(columnRow("bill.stay_id"))
	other.has(columnRow("stay_copy.boat_id"))
	other.selects("bill", "stay_copy")
	other.sees("Without the foreign key stay_copy → main.boat: that table is not here.")
	other.agrees()
	other.click(tableTitle("bill"))
	other.pastes("CREATE TABLE pier (id int)")
	other.sees("paste it into Import")
	other.pastes(`{"berth":"tables","dialect":"postgres","edits":[]}`)
	other.sees("These tables are of PostgreSQL, and this is a design of SQLite.")
	other.pastes(`{"berth":"tables","dialect":"sqlite","edits":[{"op":"drop_table","table":{"name":"bill"}},{"op":"add_index","table":{"name":"bill"}},7]}`)
	other.sees("No tables were copied from a design.")
	other.agrees()
	other.looksGood("pasted", false)
}

func TestTwoTablesAreRelatedManyToMany(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.click(tableTitle("boat"))
	s.adds(tableTitle("weather"))
	s.selects("boat", "weather")
	s.click(button("link-tables"))
	s.has(columnRow("boat_weather.boat_id"))
	s.has(columnRow("boat_weather.day"))
	s.selects("boat_weather")
	s.agrees()
}

// A key's column and what refers to it get another type together.
func TestAKeysTypeGoesToWhatRefersToIt(t *testing.T) {
	s := newStudio(t, `
		CREATE TABLE customer (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
		CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_code TEXT REFERENCES customer (code));`)
	s.arranged()
	s.columnForm("code")
	s.write(button("column-type"), "varchar")
	s.write(button("column-length"), "12")
	s.press(`[data-testid=column-form] [data-testid=save]`)
	s.lacks(button("column-form"))
	s.sees("Changed with it: orders.customer_code")
	types := map[string]string{}
	for _, table := range s.agent.design(s.root, map[string]any{"operation": "get_overview"}).Overview.Tables {
		for _, c := range table.Columns {
			types[table.Name+"."+c.Name] = c.DataType
		}
	}
	assert.Equal(t, types["customer.code"], types["orders.customer_code"])
	assert.Contains(t, types["customer.code"], "varchar")
	assert.Equal(t, 1, eval[int](s.tab, `document.querySelectorAll("[data-testid=edge]").length`))
}
