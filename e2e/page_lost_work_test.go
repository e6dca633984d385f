package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// renameColumn renames a column as the agent, whose call succeeds.
func (s *studio) renameColumn(table, from, to string) {
	s.t.Helper()
	s.apply(map[string]any{"op": "set_column", "table": map[string]any{"name": table}, "column": map[string]any{"name": from},
		"set": map[string]any{"name": to}})
}

// clickBeside presses the mouse on the canvas, beside what is open.
func (b *tab) clickBeside() {
	b.t.Helper()
	b.run(chromedp.MouseClickXY(5, 300, chromedp.ClickCount(1)))
}

// columnForm opens the form of a column of customer.
func (s *studio) columnForm(column string) {
	s.t.Helper()
	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.press(button("section-columns"))
	s.press(button("edit-column-" + column))
	s.has(button("column-form"))
}

func TestAFormShowsBothSidesWhereTheAgentChangedTheSameField(t *testing.T) {
	for chosen, column := range map[string]string{"take-theirs": "agent_name", "keep-mine": "my_name"} {
		t.Run(chosen, func(t *testing.T) {
			s := newStudio(t, twoTables)
			s.columnForm("name")
			s.write(button("column-name"), "my_name")
			s.renameColumn("customer", "name", "agent_name")
			s.has(button("held"))
			s.eventually(`() => document.querySelector("[data-testid=held-theirs]").textContent === "agent_name" &&
				document.querySelector("[data-testid=held-mine]").textContent === "my_name"`)
			s.screenshot("both-sides")
			s.size(1280, 800, "dark")
			s.screenshot("both-sides-dark")
			s.hasNoSeriousBarrier()
			assert.True(t, eval[bool](s.tab, `document.querySelector("[data-testid=column-form] [data-testid=save]").disabled`),
				"a side has to be chosen first")
			s.press(button(chosen))
			s.lacks(button("held"))
			s.press(`[data-testid=column-form] [data-testid=save]`)
			s.lacks(button("column-form"))
			s.shows("customer(id "+column+")", "purchase(id customer_id)")
			s.agrees()
		})
	}
}

func TestAFormFollowsTheFieldsThatNobodyTouchedInIt(t *testing.T) {
	s := newStudio(t, twoTables)
	s.columnForm("name")
	s.write(button("column-name"), "my_name")
	s.apply(map[string]any{"op": "set_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "name"},
		"set": map[string]any{"defaultValue": "'agent'"}})
	s.eventually(`() => document.querySelector("[data-testid=column-default]").value === "'agent'"`)
	s.press(`[data-testid=column-form] [data-testid=save]`)
	s.lacks(button("column-form"))
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "customer"}},
		"options": map[string]any{"includeColumns": "full"}})
	assert.Contains(t, got.text, `"name":"my_name"`)
	assert.Contains(t, got.text, `"defaultValue":"'agent'"`)
}

func TestAFormOutlivesWhatItIsAbout(t *testing.T) {
	s := newStudio(t, twoTables)
	s.columnForm("name")
	s.write(button("column-name"), "my_name")
	s.apply(map[string]any{"op": "drop_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "name"}})
	s.has(button("gone"))
	s.screenshot("column-dropped")
	assert.NotRegexp(t, `[0-9a-f]{8}-[0-9a-f]{4}`, s.words(), "an id is nothing for a person")
	s.press(button("add-again"))
	s.lacks(button("column-form"))
	s.shows("customer(id my_name)", "purchase(id customer_id)")
	s.press(button("done"))

	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.write(button("table-name"), "client")
	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "customer"}})
	s.has(button("gone"))
	s.screenshot("table-dropped")
	assert.Equal(t, "client", eval[string](s.tab, `document.querySelector("[data-testid=table-name]").value`))
	assert.NotRegexp(t, `[0-9a-f]{8}-[0-9a-f]{4}`, s.words())
	require.True(t, s.agent.design(s.root, map[string]any{"operation": "undo", "payload": map[string]any{"expectedVersion": s.version()}}).Success)
	s.lacks(button("gone"))
	s.press(button("done"))
	s.shows("client(id my_name)", "purchase(id customer_id)")
}

func TestDoneSavesTheNameThatWasTyped(t *testing.T) {
	s := newStudio(t, twoTables)
	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.write(button("table-name"), "purchase")
	s.press(button("done"))
	s.sees("already exists")
	s.has(button("table-form"))
	s.write(button("table-name"), "client")
	s.press(button("done"))
	s.lacks(button("table-form"))
	s.shows("client(id name)", "purchase(id customer_id)")
	s.agrees()
}

func TestNothingTypedVanishesWithoutAQuestion(t *testing.T) {
	s := newStudio(t, twoTables)
	leave := map[string]func(){
		"Escape": func() { s.key("Escape") },
		"Escape twice": func() {
			s.key("Escape")
			s.has(button("discard"))
			s.key("Escape")
			s.lacks(button("discard"))
			s.key("Escape")
		},
		"the cross":    func() { s.press(button("close-editor")) },
		"Back":         func() { s.press(button("cancel-column")) },
		"another part": func() { s.press(button("section-keys")) },
		"another form": func() { s.press(button("add-table")) },
	}
	for how, away := range leave {
		t.Log(how)
		s.columnForm("name")
		s.write(button("column-default"), "'half")
		away()
		s.has(button("discard"))
		s.screenshot("discard")
		s.press(button("discard-no"))
		s.lacks(button("discard"))
		assert.Equal(t, "'half", eval[string](s.tab, `document.querySelector("[data-testid=column-default]").value`), how)
		away()
		s.has(button("discard"))
		s.press(button("discard-yes"))
		s.lacks(button("column-form"))
		s.key("Escape") // with nothing typed there is nothing to ask
		s.lacks(".editor")
		s.lacks("dialog[open]")
	}
	s.columnForm("name")
	s.write(button("column-default"), "'half")
	s.clickBeside() // the canvas is there to be looked at meanwhile
	assert.Equal(t, "'half", eval[string](s.tab, `document.querySelector("[data-testid=column-default]").value`))
}

func TestEscapeClosesAnEditorWhoseFocusHasGone(t *testing.T) {
	s := newStudio(t, twoTables)
	s.click(tableTitle("customer"))
	s.click(button("edit-table"))
	s.press(button("drop-column-name"))
	s.lacks(button("drop-column-name"))
	s.has(button("name-new") + ":focus")
	eval[bool](s.tab, `(document.activeElement.blur(), true)`)
	s.key("Escape")
	s.lacks(".editor")
}

func TestLayoutBelongsToUndo(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	x, y := s.point(tableBox("weather") + ` .head`)
	s.dragTo(x, y, x+40, y+200)
	dragged := s.places()
	s.click(button("arrange"))
	s.sees("Arranged 4 tables.")
	s.eventually(`() => document.querySelector("[data-testid=canvas][aria-busy=true]") === null`)
	arranged := s.places()
	require.NotEqual(t, dragged, arranged)
	s.rename(tableTitle("weather"), "climate")
	s.enabled(button("undo"))
	stands := func(want map[string][2]float64) {
		t.Helper()
		require.EventuallyWithT(t, func(c *assert.CollectT) { assert.Equal(c, want, s.places()) }, patience, tick)
	}
	s.key("ctrl+z") // the rename, which came last
	s.has(tableBox("weather"))
	s.key("ctrl+z")
	stands(dragged)
	s.key("ctrl+z")
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NotEqual(c, dragged, s.places()) }, patience, tick)
	s.key("ctrl+shift+z")
	stands(dragged)
	s.key("ctrl+shift+z")
	stands(arranged)
	s.key("ctrl+shift+z")
	s.has(tableBox("climate"))
	s.agrees()
}

func TestWordsTypedBesideAFieldChangeNothing(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	tables, places := s.tables(), s.places()
	s.click(tableTitle("weather"))
	for _, key := range "alpha_renamed NLnl" {
		s.key(string(key))
	}
	s.key("Enter")
	s.has(button("table-form")) // Escape would come before it on a busy machine
	s.key("Escape")
	s.lacks(button("table-form"))
	s.lacks("dialog[open]")
	s.click(tableTitle("weather"))
	s.key("Delete")
	s.has(button("confirm"))
	s.key("Enter") // which is the answer that drops nothing
	s.lacks(button("confirm"))
	assert.Equal(t, tables, s.tables())
	assert.Equal(t, places, s.places())
}

func TestWhatWasTypedInPlaceIsNotLostToTheAgent(t *testing.T) {
	s := newStudio(t, twoTables)
	s.click(columnRow("customer.name")+" .name", 2)
	s.has(button("rename"))
	s.key("ctrl+a")
	s.typed("my_name")
	s.renameColumn("customer", "name", "agent_name")
	s.shows("customer(id)", "purchase(id customer_id)") // the one being renamed is a field
	s.key("Enter")
	s.has(button("clash"))
	s.screenshot("in-place")
	s.press(button("keep-theirs"))
	s.shows("customer(id agent_name)", "purchase(id customer_id)")
}
