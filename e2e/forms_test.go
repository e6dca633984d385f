package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// column adds a column in the table's form, which is open.
func (b *tab) column(name, dataType, by string) {
	b.t.Helper()
	b.write(button("column-name"), name)
	b.write(button("column-type"), dataType)
	b.press(button(by))
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

	s.click(button("add-column"))
	s.column("customer_id", "INTEGER", "save-and-next")
	s.eventually(`() => document.querySelector("[data-testid=column-name]")?.value === ""`)
	s.column("note", "TEXT", "save")
	s.lacks(button("column-form"))
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
	s.sees("synced")
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
