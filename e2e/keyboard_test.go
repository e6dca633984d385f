package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// focused reports whether an element, or something in it, has the keyboard.
func (b *tab) focused(selector string) bool {
	b.t.Helper()
	return eval[bool](b, `s => document.querySelector(s)?.contains(document.activeElement) === true`, selector)
}

// reach goes to an element with one key, as a person without a mouse does.
func (b *tab) reach(key, selector string) {
	b.t.Helper()
	b.has(selector)
	for range 60 {
		if b.focused(selector) {
			return
		}
		b.key(key)
	}
	require.Fail(b.t, "the keyboard does not get there", "%s by %s; it is at %s", selector, key,
		eval[string](b, `document.activeElement?.outerHTML.slice(0, 300) ?? ""`))
}

// use reaches a button and presses it.
func (b *tab) use(selector string) {
	b.t.Helper()
	b.enabled(selector)
	b.reach("Tab", selector)
	b.key("Enter")
}

func TestAPersonWithoutAMouseDesignsAndPublishes(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")

	s.key("alt+n")
	s.has(button("table-name") + ":focus")
	s.typed("invoice")
	s.reach("Tab", button("table-key"))
	s.key("ctrl+a")
	s.typed("id")
	s.key("Enter")
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id)")
	s.lacks(button("new-table"))

	s.has(button("name-new") + ":focus")
	s.typed("customer_id")
	s.key("Tab")
	s.typed("INTEGER")
	s.key("Enter")
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id customer_id)")

	s.has(button("name-new") + ":focus")
	s.reach("shift+Tab", button("section-keys"))
	s.key("Enter")
	s.use(button("new-relation"))
	s.reach("Tab", button("relation-target"))
	s.key("ArrowDown")
	s.eventually(`s => document.querySelector(s).selectedOptions[0].textContent.includes("customer")`, button("relation-target"))
	s.use(`[data-testid=relation-form] [data-testid=save]`)
	s.lacks(button("relation-form"))
	s.eventually(`() => document.querySelectorAll("[data-testid=edge]").length === 2`)
	s.agrees()

	s.moveAndRename()
	s.publishByKeys()
	s.decideByKeys()
}

// moveAndRename takes the new table about the canvas, drops it and takes that
// back.
func (s *studio) moveAndRename() {
	s.t.Helper()
	place := func() []float64 {
		return eval[[]float64](s.tab, `s => { const r = document.querySelector(s).getBoundingClientRect(); return [Math.round(r.x), Math.round(r.y)] }`, tableBox("invoice"))
	}
	s.reach("F6", tableBox("invoice"))
	before := place()
	s.key("shift+ArrowDown")
	s.key("shift+ArrowDown")
	s.eventually(`(s, y) => document.querySelector(s).getBoundingClientRect().y > y + 4`, tableBox("invoice"), before[1])
	assert.InDelta(s.t, before[0], place()[0], 1)

	s.key("F2")
	s.has(button("rename"))
	s.key("ctrl+a")
	s.typed("bill")
	s.key("Enter")
	s.shows("customer(id name)", "purchase(id customer_id)", "bill(id customer_id)")

	s.key("Escape")
	s.eventually(`() => document.querySelectorAll(".table.selected").length === 0`)
	s.reach("F6", ".stage")
	s.reach("Tab", tableBox("bill"))
	for _, arrow := range []string{"ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"} {
		s.key("ctrl+" + arrow)
	}
	s.eventually(`() => document.querySelectorAll(".table.selected").length > 1`)
	s.key("Escape")
	s.reach("F6", ".stage")
	s.reach("Tab", tableBox("bill"))
	s.key("Delete")
	s.use(button("confirm-yes"))
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.key("ctrl+z")
	s.shows("customer(id name)", "purchase(id customer_id)", "bill(id customer_id)")
}

// publishByKeys publishes what is proposed.
func (s *studio) publishByKeys() {
	s.t.Helper()
	s.reach("F6", ".tabs")
	s.use(button("tab-changes"))
	s.has(button("panel-changes"))
	s.reach("F6", button("panel-changes"))
	s.use(button("verify"))
	s.has(button("report-done"))
	s.use(button("publish"))
	s.use(button("publish-run"))
	s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
	s.use(button("publish-close"))
	s.sees("In sync")
}

// decideByKeys takes back what the agent added and rejects a plan of it.
func (s *studio) decideByKeys() {
	s.t.Helper()
	s.apply(addTable("extra"))
	s.reach("F6", ".tabs")
	s.use(button("tab-review"))
	s.has(button("net-main.extra"))
	s.reach("F6", button("panel-review"))
	s.use(button("net-main.extra") + " " + button("take-back"))
	s.sees("Nothing to look at")
	s.eventually(`() => document.activeElement?.closest("[data-testid=review]") != null`) // the button is gone
	s.shows("customer(id name)", "purchase(id customer_id)", "bill(id customer_id)")

	told := s.agent.ask(s.root, "execute-sql", map[string]any{"statement": "DELETE FROM customer"})
	require.Regexp(s.t, planInReply, told.text())
	s.reach("F6", ".tabs")
	s.use(button("tab-approvals"))
	s.reach("Tab", button("approval"))
	s.sees("A approves, R rejects this")
	s.key("r")
	s.has(`[data-testid=approval][data-state=rejected]`)
}
