package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// hand does a task at the page and writes down what it takes.
type hand struct {
	*studio
	presses []string // of the mouse, by the words of what is pressed
	keys    []string // beside the words that are typed
}

func (h *hand) press(what, selector string) {
	h.t.Helper()
	h.presses = append(h.presses, what)
	h.eventually(`s => { const e = document.querySelector(s); return e !== null && e.disabled !== true }`, selector)
	h.click(selector)
}

func (h *hand) types(words string, keys ...string) {
	h.t.Helper()
	h.typed(words)
	for _, key := range keys {
		h.keys = append(h.keys, key)
		h.key(key)
	}
}

// column types a column into the new row of the grid, which has the focus.
func (h *hand) column(name, dataType string) {
	h.t.Helper()
	h.types(name, "Tab")
	h.types(dataType, "Enter")
	h.eventually(`() => document.activeElement?.dataset.testid === "name-new" && document.activeElement.value === ""`)
}

// countDialogs counts the modal dialogs that open in the tab from now on.
func (b *tab) countDialogs() func() int {
	b.t.Helper()
	eval[bool](b, `() => {
		window.dialogs = 0;
		new MutationObserver(all => {
			window.dialogs += all.filter(m => m.target.localName === "dialog" && m.target.open && m.oldValue === null).length;
		}).observe(document, {subtree: true, attributes: true, attributeFilter: ["open"], attributeOldValue: true});
		return true;
	}`, nil)
	return func() int { return eval[int](b, "window.dialogs") }
}

// pageTask is one that a person does at the page.
type pageTask struct {
	name  string
	most  int // presses
	begin func(t *testing.T) *studio
	do    func(h *hand)
}

func onSQLite(script string) func(t *testing.T) *studio {
	return func(t *testing.T) *studio { return newStudio(t, script) }
}

var pageTasks = []pageTask{
	{"a table of six columns with a primary key and a foreign key", 8, onSQLite(`CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);`), func(h *hand) {
		h.press("*Table*", button("add-table"))
		h.has(button("table-name") + ":focus")
		h.types("orders")
		h.press("*Add table*", `[data-testid=new-table] [data-testid=save]`)
		h.has(button("name-new") + ":focus")
		h.column("customer_id", "INTEGER")
		h.column("state", "VARCHAR(20)")
		h.column("placed_at", "TEXT")
		h.column("total", "NUMERIC")
		h.column("note", "TEXT")
		h.press("*Done*", button("done"))
		h.press("*Zoom to fit*", button("fit"))
		h.rests()
		h.presses = append(h.presses, "a drag from `customer_id` to `customer`")
		h.drag(columnRow("orders.customer_id")+" "+button("relate-right-customer_id"), columnRow("customer.id"))
		h.press("*Relate*", `[data-testid=relation-form] [data-testid=save]`)
		h.lacks(button("relation-form"))
		h.shows("customer(id name)", "orders(id customer_id state placed_at total note)")
		h.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 1`)
	}},
	{"many-to-many", 4, onSQLite(quay), func(h *hand) {
		h.press("a table", tableTitle("boat"))
		h.presses = append(h.presses, "the other, with Shift")
		h.adds(tableTitle("weather"))
		h.press("*Relate many to many*", button("link-tables"))
		h.has(columnRow("boat_weather.boat_id"))
		h.has(columnRow("boat_weather.day"))
		h.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 4`)
	}},
	{"another type of a key column, and of the foreign keys to it", 4, onSQLite(`
		CREATE TABLE customer (code TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_code TEXT REFERENCES customer (code));`), func(h *hand) {
		h.press("the table", tableTitle("customer"))
		h.press("*Edit*", button("edit-table"))
		h.press("the type", button("dataType-code"))
		h.keys = append(h.keys, "Ctrl+A")
		h.key("ctrl+a")
		h.types("varchar(12)", "Enter")
		h.sees("Changed with it: orders.customer_code")
		types := h.columnTypes()
		assert.Equal(h.t, types["customer.code"], types["orders.customer_code"])
		assert.Contains(h.t, strings.ToLower(types["customer.code"]), "varchar")
	}},
	{"an index on a foreign key", 3, onSQLite(`
		CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
		CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id));`), func(h *hand) {
		h.press("the mark of the table", `[data-testid="flag-main.orders"]`)
		h.press("*Add index*", button("lint-fix"))
		h.lacks(".edge.warned")
	}},
	{"the copy of a table", 3, onSQLite(quay), func(h *hand) {
		h.press("the table", tableTitle("stay"))
		h.press("*Duplicate*", button("duplicate-table"))
		h.has(columnRow("stay_copy.boat_id"))
	}},
	{"an enum type (PostgreSQL)", 6, func(t *testing.T) *studio { return newDraft(t, "postgres", person()) }, func(h *hand) {
		h.press("the outline's switch", button("outline-switch"))
		h.press("*New* at the types", button("add-type"))
		h.has(button("type-name") + ":focus")
		h.types("mood")
		h.press("the first value", button("value-0"))
		h.types("calm")
		h.press("*Another value*", button("add-value"))
		h.eventually(`() => document.activeElement?.dataset.testid === "value-1"`)
		h.types("glad")
		h.press("*Add type*", `[data-testid=type-form] [data-testid=save]`)
		h.has(button("type-mood"))
	}},
}

// columnTypes are the types of all columns, as the agent is told.
func (s *studio) columnTypes() map[string]string {
	s.t.Helper()
	types := map[string]string{}
	for _, table := range s.agent.design(s.root, map[string]any{"operation": "get_overview"}).Overview.Tables {
		for _, c := range table.Columns {
			types[table.Name+"."+c.Name] = c.DataType
		}
	}
	return types
}

// TestWhatTasksTakeAtThePage does each task, counts what the browser was given,
// and compares the table in docs/page-tasks.md with it.
func TestWhatTasksTakeAtThePage(t *testing.T) {
	needsBrowser(t)
	lines := make([]string, len(pageTasks))
	t.Run("tasks", func(t *testing.T) {
		for i, task := range pageTasks {
			t.Run(task.name, func(t *testing.T) {
				h := &hand{studio: task.begin(t)}
				h.arranged()
				clicks, dialogs := h.countClicks(), h.countDialogs()
				task.do(h)
				h.agrees()
				assert.Len(t, h.presses, clicks(), "all presses are written down")
				assert.LessOrEqual(t, clicks(), task.most)
				assert.Zero(t, dialogs(), "modal dialogs")
				lines[i] = fmt.Sprintf("| %s | %d | %s | %d | %d |\n", task.name, clicks(), strings.Join(h.presses, ", "), len(h.keys), dialogs())
			})
		}
	})
	if t.Failed() {
		return
	}
	table := "\n| task | presses of the mouse | on | keys beside the words | dialogs |\n| --- | --- | --- | --- | --- |\n" + strings.Join(lines, "") + "\n"
	comparePart(t, filepath.Join("..", "docs", "page-tasks.md"), "tasks", "TestWhatTasksTake", table)
}
