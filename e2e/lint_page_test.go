package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What lint finds is marked on the canvas and listed with the edit that settles
// it, and goes when it is settled.
func TestAPersonSettlesWhatLintFinds(t *testing.T) {
	s := newStudio(t, `CREATE TABLE album (album_id INTEGER PRIMARY KEY, title TEXT NOT NULL);
		CREATE TABLE track (track_id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album ON DELETE CASCADE, name TEXT NOT NULL);`)
	const flag = `[data-testid="flag-main.track"]`
	s.eventually(`s => document.querySelector(s)?.textContent === "1"`, flag)
	s.lacks(`[data-testid="flag-main.album"]`)
	s.eventually(`() => document.querySelector("[data-testid=tab-lint] .badge")?.textContent === "1"`)
	s.click(flag)
	s.press(button("lint-all"))
	s.has(button("lint-panel"))
	s.has(button("lint-unindexed-foreign-key"))
	s.screenshot("found")
	s.hasNoSeriousBarrier()
	before := s.version()
	s.press(button("lint-settle"))
	s.sees("Nothing that most people regret.")
	s.lacks(flag)
	assert.NotEqual(t, before, s.version())
	s.screenshot("settled")

	s.click(button("undo"))
	s.has(button("lint-unindexed-foreign-key"))
	s.size(390, 844, "dark")
	s.screenshot("small")
	s.hasNoSeriousBarrier()
}

// A column that is narrower than the one it refers to gets its type, though a
// foreign key lies between.
func TestAColumnGetsTheTypeOfWhatItRefersTo(t *testing.T) {
	column := func(name, dataType string, key bool) any {
		return map[string]any{"name": name, "dataType": dataType, "isPrimaryKey": key}
	}
	s := newDraft(t, "postgres",
		map[string]any{"op": "add_table", "table": map[string]any{"name": "album"}, "initialColumns": []any{column("id", "bigint", true)}},
		map[string]any{"op": "add_table", "table": map[string]any{"name": "track"}, "initialColumns": []any{column("id", "bigint", true), column("album_id", "int", false)}},
		map[string]any{"op": "add_foreign_key", "table": map[string]any{"name": "track"}, "foreignKey": map[string]any{"name": "of_album", "referencedTable": map[string]any{"name": "album"},
			"mappings": []any{map[string]any{"column": "album_id", "referencedColumn": "id"}}, "onDeleteAction": "CASCADE"}},
		map[string]any{"op": "add_index", "table": map[string]any{"name": "track"}, "index": map[string]any{"columns": []string{"album_id"}}})
	s.click(button("tab-lint"))
	s.has(button("lint-foreign-key-type"))
	s.eventually(`() => document.querySelector("[data-testid=lint-settle]").textContent === "Change column"`)
	s.press(button("lint-settle"))
	s.lacks(button("lint-foreign-key-type"))
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "track"}}, "options": map[string]any{"includeColumns": "full", "includeForeignKeys": true}}).text
	assert.NotContains(t, got, `"integer"`)
	assert.Contains(t, got, "of_album")
	assert.Contains(t, strings.ToLower(got), "cascade")
	s.click(button("undo"))
	s.has(button("lint-foreign-key-type"))
}

// A count of three digits has room on the strip of tabs.
func TestAHundredFindingsFitOnTheTab(t *testing.T) {
	var script strings.Builder
	for i := range 100 {
		fmt.Fprintf(&script, "CREATE TABLE t%03d (note TEXT);\n", i)
	}
	s := newStudio(t, script.String())
	for _, width := range []int64{1280, 1760} {
		s.size(width, 800, "light")
		s.eventually(`() => document.querySelector("[data-testid=tab-lint] .badge")?.textContent.length === 3`)
		assert.Equal(t, "inside", eval[string](s.tab, `(() => {
			const [strip, tab] = [document.querySelector("nav.tabs"), document.querySelector("[data-testid=tab-lint]")];
			const [outer, badge] = [tab.getBoundingClientRect(), tab.querySelector(".badge").getBoundingClientRect()];
			if (strip.scrollWidth > strip.clientWidth) return "the strip scrolls sideways by " + (strip.scrollWidth - strip.clientWidth);
			return badge.left >= outer.left && badge.right <= outer.right ? "inside" : "the badge leaves its tab by " + (badge.right - outer.right);
		})()`))
		s.screenshot(fmt.Sprint("badge-", width))
	}
}
