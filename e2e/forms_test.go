package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// column types a column into the new row of the table's grid, which is open.
func (b *tab) column(name, dataType string) {
	b.t.Helper()
	b.write(button("name-new"), name)
	b.key("Tab")
	b.typed(dataType)
	b.key("Enter")
	b.has(button("row-" + name))
	b.eventually(`() => document.activeElement?.dataset.testid === "name-new" && document.activeElement.value === ""`)
}

func TestAPersonDrawsASchema(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")

	s.click(button("add-table"))
	s.write(button("table-name"), "purchase")
	s.sees("already exists")
	s.screenshot("refused")
	s.write(button("table-name"), "invoice")
	s.write(button("table-key"), "id")
	s.press(`[data-testid=new-table] [data-testid=save]`)
	s.lacks(button("new-table"))
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id)")

	s.column("customer_id", "INTEGER")
	s.column("note", "TEXT")
	s.screenshot("columns")
	s.press(button("done"))
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id customer_id note)")

	s.key("1")
	s.drag(columnRow("invoice.customer_id")+" "+button("relate-right-customer_id"), columnRow("customer.id"))
	s.has(button("relation-form"))
	s.screenshot("relate")
	s.press(`[data-testid=relation-form] [data-testid=save]`)
	s.lacks(button("relation-form"))
	s.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 2`)
	s.agrees()

	for range 4 {
		s.enabled(button("undo"))
		s.click(button("undo"))
		s.eventually(`() => !document.querySelector(".saving.on")`)
	}
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.sees("In sync")
	for range 4 {
		s.enabled(button("redo"))
		s.click(button("redo"))
		s.eventually(`() => !document.querySelector(".saving.on")`)
	}
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id customer_id note)")
	s.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 2`)

	s.click(tableTitle("invoice"))
	s.click(button("drop-table"))
	s.press(button("confirm-yes"))
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.agrees()
	assert.Contains(t, s.tables(), "customer(id name)")
}

// TestAColumnIsEditedWhileItIsStillBeingMade opens the details of a column that
// the page shows and the instance does not have yet.
func TestAColumnIsEditedWhileItIsStillBeingMade(t *testing.T) {
	s := newStudio(t, twoTables)
	s.click(tableTitle("customer"))
	s.key("Enter")
	s.has(button("table-form"))
	eval[bool](s.tab, `(() => {
		const real = window.fetch;
		const held = new Promise(go => { window.release = go });
		window.fetch = async (...all) => {
			const { operation, options } = JSON.parse(all[1]?.body ?? "{}").arguments ?? {};
			if (operation === "apply_edits" && !options?.dryRun) { window.holding = true; await held }
			return real(...all);
		};
		return true;
	})()`)
	s.write(button("name-new"), "share")
	s.key("Tab")
	s.typed("decimal(9,2)")
	s.key("Enter")
	s.eventually(`() => window.holding`)
	s.press(button("edit-column-share"))
	s.has(button("column-form"))
	s.write(button("column-default"), "0.5")
	eval[bool](s.tab, `(window.release(), true)`)
	s.eventually(`() => !document.querySelector(".saving.on")`)
	s.sees("Proposed 1")
	s.lacks(button("gone"))
	s.eventually(`() => document.querySelector("[data-testid=column-default]").value === "0.5"`)
	s.press(`[data-testid=column-form] [data-testid=save]`)
	s.lacks(button("column-form"))
	s.press(button("done"))
	s.eventually(`() => !document.querySelector(".saving.on")`)
	s.agrees()
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "customer"}}, "options": map[string]any{"includeColumns": "full"}})
	assert.Contains(t, got.text, `"defaultValue":"0.5"`)
}
