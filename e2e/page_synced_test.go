package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheBadgeFollowsTheDatabaseByItself(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	s.eventually(`() => /read (now|\d+ s ago)/.test(document.querySelector("[data-testid=sync]").textContent)`)
	s.screenshot("synced")
	s.size(1280, 800, "dark")
	s.screenshot("synced-dark")
	s.query("ALTER TABLE customer ADD COLUMN mail TEXT; DROP TABLE purchase")
	s.shows("customer(id name mail)") // nobody touched the page
	s.sees("In sync")

	s.apply(addTable("invoice"))
	s.sees("Proposed 1")
	s.query("ALTER TABLE customer ADD COLUMN phone TEXT")
	s.shows("customer(id name mail phone)", "invoice(id)")
	s.sees("Proposed 1")

	s.apply(map[string]any{"op": "add_column", "table": map[string]any{"name": "customer"},
		"column": map[string]any{"name": "fax", "dataType": "INTEGER", "isNullable": true}})
	s.query("ALTER TABLE customer ADD COLUMN fax TEXT")
	s.sees("Drifted")
	s.screenshot("drifted")
}

func TestTheBadgeFollowsADatabaseFileThatWasReplaced(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	other := s.project("other", "CREATE TABLE elsewhere (id INTEGER PRIMARY KEY);")
	require.NoError(t, os.Rename(filepath.Join(other, "app.db"), filepath.Join(s.root, "app.db"))) // as git checkout does
	s.shows("elsewhere(id)")
	s.sees("In sync")
}

func TestABadgeThatCannotKnowSaysSo(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	require.NoError(t, os.Rename(filepath.Join(s.root, "app.db"), filepath.Join(s.root, "away")))
	s.has(`[data-testid=sync].unsure`)
	s.screenshot("unsure")
	s.hasNoSeriousBarrier()
	require.NoError(t, os.Rename(filepath.Join(s.root, "away"), filepath.Join(s.root, "app.db")))
	s.has(`[data-testid=sync].synced:not(.unsure)`)
}

func TestExportReadsTheDatabaseAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	defer in.stop()
	a := w.agent()
	require.True(t, a.design(root, map[string]any{"operation": "show"}).Success)
	s := &studio{world: w, t: t, root: root, agent: a}
	columns := []string{"one", "two", "three", "four"}
	s.query("ALTER TABLE customer ADD COLUMN one TEXT")
	got := w.berthIn(root, "export", "mermaid", "--to", "design.mmd")
	require.Zero(t, got.code, got.stderr)
	assert.Contains(t, readText(t, filepath.Join(root, "design.mmd")), columns[0], "berth export")

	for i, format := range []string{"sql", "dbml", "json"} {
		column := columns[i+1]
		s.query("ALTER TABLE customer ADD COLUMN " + column + " TEXT")
		reply := a.design(root, map[string]any{"operation": "export", "payload": map[string]any{"format": format, "path": "design." + format}})
		require.True(t, reply.Success, reply.text)
		assert.Contains(t, readText(t, filepath.Join(root, "design."+format)), column, "the tool's export of %s", format)
	}
	s.query("CREATE TABLE late (id INTEGER PRIMARY KEY)")
	assert.Contains(t, s.tables(), "late(id)", "get_overview")
}

func readText(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(raw)
}

func TestThePagesExportReadsTheDatabaseAgain(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	eval[bool](s.tab, `(() => { Object.defineProperty(document, "visibilityState", {value: "hidden"}); return true })()`) // nobody looks: the page asks for nothing by itself
	s.query("ALTER TABLE customer ADD COLUMN mail TEXT")
	s.panel("transfer")
	s.press(button("transfer-view-export"))
	s.press(button("export-format-mermaid"))
	s.eventually(`() => document.querySelector("[data-testid=panel-transfer]").innerText.includes("TEXT mail")`)
}

func TestActivityNamesWhatWasPublished(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	s.apply(addTable("invoice"))
	s.sees("Proposed 1")
	s.panel("changes")
	s.press(button("publish"))
	s.confirmPublish()
	s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
	s.press(button("publish-close"))
	s.panel("activity")
	s.eventually(`() => /^You\s+published/.test(document.querySelector("[data-testid=activity] li").innerText)`)
	s.screenshot("activity")
	s.query("ALTER TABLE customer ADD COLUMN mail TEXT")
	s.eventually(`() => /^Database\s+was changed elsewhere/.test(document.querySelector("[data-testid=activity] li").innerText)`)
}
