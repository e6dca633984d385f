package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// star is a schema of n tables that all refer to the first.
func star(n int) string {
	var script strings.Builder
	for i := range n {
		fmt.Fprintf(&script, "CREATE TABLE t%02d (id INTEGER PRIMARY KEY, note TEXT, first_id INTEGER REFERENCES t00 (id));\n", i)
	}
	return script.String()
}

// touchCount is what an observer of the whole page saw change: the tables whose
// elements did, how many relations, and how many elements came or went on the
// canvas beside those of a table.
type touchCount struct {
	Tables       []string
	Edges, Other int
}

// watch begins to observe, and watched ends it. Each table's element is marked
// by hand first: one without a mark afterwards was re-created.
func (b *tab) watch() {
	b.t.Helper()
	eval[bool](b, `(() => {
		const records = [];
		const observer = new MutationObserver((list) => records.push(...list));
		for (const box of document.querySelectorAll("[data-testid^='table-'][role=group]")) box.made = "before";
		observer.observe(document.querySelector("[data-testid=canvas]"), { subtree: true, childList: true, characterData: true, attributes: true });
		window.watched = () => {
			records.push(...observer.takeRecords());
			observer.disconnect();
			const tables = new Set();
			let [edges, other] = [0, 0];
			for (const { target } of records) {
				const element = target instanceof Element ? target : target.parentElement;
				const box = element.closest("[data-testid^='table-'][role=group]");
				if (box) tables.add(box.dataset.testid.replace("table-main.", ""));
				else if (element.closest(".edges")) edges++;
				else if (!element.closest("[data-testid=minimap]")) other++;
			}
			for (const box of document.querySelectorAll("[data-testid^='table-'][role=group]")) if (box.made !== "before") tables.add("re-created: " + box.dataset.testid);
			return { tables: [...tables].sort(), edges, other };
		};
		return true;
	})()`)
}

func (b *tab) watched() touchCount {
	b.t.Helper()
	return eval[touchCount](b, `window.watched()`)
}

func TestOneEditOfTheAgentChangesNothingOnTheCanvasButItsTable(t *testing.T) {
	s := newStudio(t, star(9))
	s.arranged()
	s.eventually(`document.querySelectorAll("[data-testid^='column-main.']").length === 9 * 3`)

	note := func(table, from, to string) map[string]any {
		return map[string]any{"op": "set_column", "table": map[string]any{"name": table}, "column": map[string]any{"name": from}, "set": map[string]any{"name": to}}
	}
	// The sign that the agent is at a table goes with it from one to the next, a
	// second behind the edit at the most: each step waits for it.
	s.watch()
	s.apply(note("t05", "note", "remark"))
	s.has(columnRow("t05.remark"))
	s.has(tableBox("t05") + ` .chip`)
	s.has(mark("main.t05"))
	assert.Equal(t, touchCount{Tables: []string{"t05"}}, s.watched(), "a column's new name: its table, no relation, nothing else")

	s.watch()
	s.apply(map[string]any{"op": "add_foreign_key", "table": map[string]any{"name": "t07"}, "foreignKey": map[string]any{
		"name": "FK_t07_t05", "referencedTable": map[string]any{"name": "t05"}, "mappings": []map[string]any{{"column": "first_id", "referencedColumn": "id"}}}})
	s.has(tableBox("t07") + ` .chip`)
	s.has(mark("main.t07"))
	s.lacks(mark("main.t05"))
	got := s.watched()
	assert.Equal(t, []string{"t05", "t07"}, got.Tables, "the table, and the one that the agent left")
	assert.Positive(t, got.Edges, "the new relation")
	assert.Zero(t, got.Other)

	s.watch()
	s.apply(note("t07", "note", "one"), note("t08", "note", "two"))
	s.has(columnRow("t08.two"))
	require.Equal(t, []string{"t07", "t08"}, s.watched().Tables, "the observer sees what changes")
}
