package e2e

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who undid, redid and published, and that the database was read again, is known
// after the instance was killed and the page is loaded again, as it was said when
// it happened.
func TestWhatHappenedIsThereAfterTheInstanceWasKilled(t *testing.T) {
	s := newStudio(t, twoTables)
	lines := func(want ...string) {
		t.Helper()
		s.panel("activity")
		s.eventually(`want => {
			const lines = [...document.querySelectorAll("[data-testid=activity] .activity-item")];
			const said = lines.map(l => l.querySelector(".who").textContent + ": " + l.querySelector(".what").textContent.replaceAll("main.", ""));
			return want.every(w => said.filter(s => s === w).length === 1) && lines.every(l => Math.abs(Date.now() - Date.parse(l.querySelector("time").dateTime)) < 600000)
				&& JSON.stringify(said.filter(s => want.includes(s))) === JSON.stringify(want);
		}`, want)
	}
	s.apply(addTable("invoice"))
	s.has(tableBox("invoice"))
	undone := s.agent.design(s.root, map[string]any{"operation": "undo"})
	require.True(t, undone.Success, undone.text)
	s.lacks(tableBox("invoice"))
	s.key("ctrl+shift+z")
	s.has(tableBox("invoice"))
	s.panel("changes")
	s.press(button("publish"))
	s.confirmPublish()
	s.has(button("report-done"))
	s.press(button("publish-close"))
	db, err := sql.Open("sqlite", filepath.Join(s.root, "app.db"))
	require.NoError(t, err)
	_, err = db.Exec(`CREATE TABLE elsewhere (id INTEGER PRIMARY KEY)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s.has(tableBox("elsewhere"))
	want := []string{
		"Database: was changed elsewhere: added table elsewhere",
		"You: published the design to app.db",
		"You: redid: added table invoice",
		"berth-e2e 1: undid: dropped table invoice",
	}
	lines(want...)

	s.expectOffline()
	s.in.kill()
	s.in = s.serve(s.root)
	s.tab = s.page(s.in)
	s.has(button("canvas"))
	lines(want...)
	for _, width := range []int64{390, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			s.size(width, 800, scheme)
			s.screenshot(fmt.Sprintf("%d-%s", width, scheme))
		}
	}
}
