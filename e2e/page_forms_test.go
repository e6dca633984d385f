package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newDraft is a studio on a design without a database, made by edits.
func newDraft(t *testing.T, dialect string, list ...map[string]any) *studio {
	t.Helper()
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", "")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("connections:\n  shop: {dialect: "+dialect+", design: true}\n"), 0o644))
	s := studioAt(t, w, root)
	s.apply(list...)
	return s
}

// person is a table to make indexes of.
func person() map[string]any {
	column := func(name, dataType string) map[string]any { return map[string]any{"name": name, "dataType": dataType} }
	return map[string]any{"op": "add_table", "table": map[string]any{"name": "person"},
		"initialColumns": []any{map[string]any{"name": "id", "dataType": "int", "isPrimaryKey": true}, column("mail", "text"), column("tags", "jsonb")}}
}

// An index on an expression, with all that the database lets it have, is made in
// the form, shown whole, and is the same after the form was opened and saved.
func TestAPersonMakesAnIndexOfAnExpression(t *testing.T) {
	s := newDraft(t, "postgres", person())
	s.shows("person(id mail tags)")
	s.click(`[data-testid="table-public.person"] .head .name`)
	s.click(button("edit-table"))
	s.press(button("section-indexes"))
	s.press(button("new-index"))
	s.choose(button("index-column-0"), "expression")
	s.write(button("index-expression-0"), "lower(")
	s.sees("unbalanced parentheses")
	s.write(button("index-expression-0"), "lower(mail)")
	s.press(button("index-descending-0"))
	s.press(button("index-options-0"))
	s.choose(button("index-nulls-0"), "last")
	s.write(button("index-opclass-0"), "text_pattern_ops")
	s.choose(button("index-include"), "tags")
	s.write(button("index-name"), "ix_mail")
	s.screenshot("expression")
	s.hasNoSeriousBarrier()
	s.press(`[data-testid=index-form] [data-testid=save]`)
	s.lacks(button("index-form"))
	s.sees("on lower(mail) text_pattern_ops desc nulls last including tags")
	s.eventually(`() => !document.querySelector(".saving.on")`)

	made := s.version()
	s.press(button("index-ix_mail"))
	s.has(button("index-nulls-0"))
	s.press(`[data-testid=index-form] [data-testid=save]`)
	s.lacks(button("index-form"))
	assert.Equal(t, made, s.version(), "nothing was changed")

	s.press(button("index-ix_mail"))
	s.choose(button("index-method"), "hash")
	s.sees("An index of method hash has one column.")
	s.sees("An index of method hash stores no columns beside its key")
	s.size(390, 844, "dark")
	s.screenshot("small")
	s.hasNoSeriousBarrier()
}

// What lint says of a foreign key without an index is said where its mark is,
// with the edit that settles it.
func TestAnIndexIsAddedAtTheMark(t *testing.T) {
	s := newStudio(t, `CREATE TABLE album (album_id INTEGER PRIMARY KEY, title TEXT NOT NULL);
		CREATE TABLE track (track_id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album ON DELETE CASCADE, name TEXT NOT NULL);`)
	const flag = `[data-testid="flag-main.track"]`
	s.has(flag)
	s.has(".edge.warned")
	s.click(flag)
	s.sees("No index of track begins with album_id")
	s.screenshot("popover")
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.lacks(button("lint-popover"))
	s.eventually(`s => document.activeElement === document.querySelector(s)`, flag)
	s.click(flag)
	before := s.version()
	s.press(button("lint-fix"))
	s.lacks(flag)
	s.lacks(button("lint-popover"))
	s.lacks(".edge.warned")
	assert.NotEqual(t, before, s.version())

	s.click(button("undo"))
	s.has(".edge.warned")
	s.lacks(button("lint-popover"))
	eval[bool](s.tab, `document.querySelector(".edge .hit").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	s.has(button("relation-said"))
	s.eventually(`() => document.querySelector("[data-testid=relation-said]").getBoundingClientRect().right <= document.querySelector("main").getBoundingClientRect().right`)
	s.screenshot("relation")
	s.press(button("edit-relation"))
	s.press(button("unindexed-fix"))
	s.lacks(button("unindexed"))
	s.lacks(button("relation-fix"))
}

// An enum is made for a column from its form, renamed and given values from the
// outline, beside a domain; what uses a type is said when it is to be dropped.
func TestAPersonMakesTypes(t *testing.T) {
	s := newDraft(t, "postgres", person())
	s.shows("person(id mail tags)")
	s.click(`[data-testid="table-public.person"] .head .name`)
	s.click(button("edit-table"))
	s.press(button("edit-column-mail"))
	s.press(button("new-enum"))
	s.write(button("type-name"), "person")
	s.write(button("value-0"), "calm")
	s.key("Enter")
	s.eventually(`() => document.activeElement?.dataset.testid === "value-1"`)
	s.typed("glad")
	s.sees("a table or view has that name")
	s.write(button("type-name"), "mood")
	s.screenshot("new-enum")
	s.hasNoSeriousBarrier()
	s.press(`[data-testid=new-type] [data-testid=save]`)
	s.lacks(button("new-type"))
	s.eventually(`() => document.querySelector("[data-testid=column-form] [data-testid=column-type]")?.value === "mood"`)
	s.press(`[data-testid=column-form] [data-testid=save]`)
	s.lacks(button("column-form"))
	s.press(button("done"))

	s.key("alt+o")
	s.press(button("type-mood"))
	s.sees("The type of person.mail")
	s.write(button("value-1"), "happy")
	s.press(button("add-value"))
	s.eventually(`() => document.activeElement?.dataset.testid === "value-2"`)
	s.typed("sad")
	s.write(button("type-name"), "feeling")
	s.screenshot("enum")
	s.press(`[data-testid=type-form] [data-testid=save]`)
	s.has(button("type-feeling"))
	s.lacks(button("type-mood"))
	assert.Contains(t, s.agent.design(s.root, map[string]any{"operation": "get_overview"}).text, "feeling")

	s.press(button("add-type"))
	s.choose(button("type-kind"), "domain")
	s.write(button("type-name"), "score")
	s.write(`[data-testid=type-form] [data-testid=column-type]`, "int")
	s.write(button("domain-check"), "VALUE > 0")
	s.press(button("domain-not-null"))
	s.press(`[data-testid=type-form] [data-testid=save]`)
	s.press(button("type-score"))
	s.eventually(`() => document.querySelector("[data-testid=domain-check]")?.value.includes("VALUE > 0")`)
	s.press(button("drop-type"))
	s.lacks(button("type-score"))
	s.lacks(button("type-form"))

	s.press(button("type-feeling"))
	s.press(button("drop-type"))
	s.sees("is the type of 'public.person.mail'")
	s.size(390, 844, "dark")
	s.screenshot("small")
	s.hasNoSeriousBarrier()
}

// A table's comment is written beside its name, a column's in the grid, where the
// dialect has them.
func TestCommentsAreWrittenAtThePage(t *testing.T) {
	s := newDraft(t, "postgres", person())
	s.shows("person(id mail tags)")
	s.click(`[data-testid="table-public.person"] .head .name`)
	s.click(button("edit-table"))
	s.write(button("table-comment"), "Who may write to us")
	s.press(button("save-names"))
	s.lacks(button("save-names"))
	s.write(button("comment-mail"), "Where to write")
	s.key("Enter")
	commented := func() string {
		return s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "person"}}, "options": map[string]any{"includeColumns": "full"}}).text
	}
	require.Eventually(t, func() bool { return strings.Contains(commented(), `"comment":"Where to write"`) }, patience, tick)
	assert.Contains(t, commented(), `"comment":"Who may write to us"`)
	s.eventually(`() => document.querySelector("[data-testid='table-public.person'] .head").title.includes("Who may write to us")`)
	s.press(button("done"))
	s.click(button("undo"))
	require.Eventually(t, func() bool { return !strings.Contains(commented(), "Where to write") }, patience, tick)
	s.click(button("undo"))
	require.Eventually(t, func() bool { return !strings.Contains(commented(), "Who may write") }, patience, tick)
}
