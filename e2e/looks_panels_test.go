package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cramped looks for what is wrong in a panel or a dialog: one that lies
// outside the window, that scrolls sideways, or in which a control is cut.
const cramped = `selector => {
	const box = document.querySelector(selector), found = [];
	const r = box.getBoundingClientRect();
	if (r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5) found.push("outside the window: " + JSON.stringify(r));
	for (const e of [box, ...box.querySelectorAll("*")]) {
		const own = getComputedStyle(e), q = e.getBoundingClientRect();
		if (q.width === 0 || own.display === "inline" || own.position === "absolute") continue;
		const scrolls = e.closest("pre, .grid, .code, .scroller, table, textarea") !== null;
		if (!scrolls && (q.left < r.left - 1 || q.right > r.right + 1)) found.push("cut at the side: " + e.tagName + " " + e.className + " " + e.textContent.slice(0, 40));
		if (!scrolls && own.overflowX !== "visible" && own.textOverflow !== "ellipsis" && e.scrollWidth > e.clientWidth + 1 && !e.matches("input, select")) found.push("scrolls sideways: " + e.tagName + " " + e.className);
		if (e.matches("button") && e.scrollWidth > e.clientWidth + 1) found.push("a label is cut: " + e.textContent);
	}
	return found.slice(0, 10);
}`

// fits requires that nothing in a panel or a dialog is cut.
func (b *tab) fits(selector, state string) {
	b.t.Helper()
	b.has(selector)
	b.rests()
	b.screenshot(state)
	assert.Empty(b.t, eval[[]string](b, cramped, selector), state)
}

// TestPanelsAndDialogsLookGoodWithAThousandTables opens each beside a large
// design in which there is something to see in all of them.
func TestPanelsAndDialogsLookGoodWithAThousandTables(t *testing.T) {
	s := newStudio(t, thousandTables())
	s.arranged()
	s.serve(s.project("the_other_project_of_this_person", twoTables))
	table := map[string]any{"name": "oslo_production"}
	s.apply(map[string]any{"op": "set_table", "table": map[string]any{"name": "oslo_equipment_maintenance_schedule_exception"}, "set": map[string]any{"name": "oslo_maintenance_postponed"}},
		map[string]any{"op": "add_column", "table": table, "column": map[string]any{"name": "insurance_policy_number", "dataType": "VARCHAR(64)"}},
		addTable("lost_property"))
	waiting := s.agent.ask(s.root, "execute-sql", map[string]any{"statement": "UPDATE oslo_production SET budget = budget * 1.02 WHERE season_id IN (SELECT id FROM oslo_season WHERE starts_on > '2026-09-01')"})
	require.Contains(t, waiting.text(), "approv")

	for _, w := range windows {
		s.size(w.width, w.height, w.scheme)
		phone := w.width < 720
		name := func(what string) string { return fmt.Sprintf("1000-%d-%s-%s", w.width, w.scheme, what) }
		for _, panel := range []string{"activity", "review", "changes", "lint", "approvals", "data", "transfer", "projects"} {
			s.do(button("tab-" + panel))
			s.eventually(`panel => !/Loading|Reading/.test(document.querySelector(panel)?.innerText ?? "Loading")`, button("panel-"+panel))
			s.fits(button("panel-"+panel), name(panel))
			s.looksGood(name(panel), phone)
			s.do(button("tab-" + panel))
			s.lacks(button("panel-" + panel))
		}
		for _, open := range []struct{ what, by string }{{"new-table", "add-table"}, {"help", "help-button"}} {
			s.do(button(open.by))
			s.fits("dialog, .editor", name(open.what))
			s.key("Escape")
			s.lacks("dialog, .editor")
		}
		eval[bool](s.tab, `(location.hash = "table=main.oslo_production", true)`)
		s.has(button("table-actions"))
		for _, action := range []string{"edit-table", "add-relation", "drop-table"} {
			s.do(button(action))
			s.fits("dialog, .editor", name(action))
			s.key("Escape")
			s.lacks("dialog, .editor")
		}
		eval[bool](s.tab, `(document.activeElement.blur(), location.hash = "", true)`)
		s.key("Escape")
		s.lacks(button("table-actions"))
		s.do(button("fit"))
	}
}
