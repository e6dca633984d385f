package e2e

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// editCell writes another value into the cell that was pressed.
func (b *tab) editCell(at, text string) {
	b.t.Helper()
	b.cell(at)
	b.has(button("cell-edit"))
	b.key("F2")
	b.has(button("cell-text"))
	b.key("ctrl+a")
	b.typed(text)
	b.key("Enter")
	b.lacks(button("cell-text"))
	b.eventually(`s => document.activeElement === document.querySelector(s)`, fmt.Sprintf(`[data-at="%s"]`, at)) // arrows lead to the next cell
	b.eventually(`(s, text) => { const c = document.querySelector(s); return c.textContent.startsWith(text) && c.classList.contains("edited") }`, fmt.Sprintf(`[data-at="%s"]`, at), text)
}

// statements are those of the review, once they are all there.
func (b *tab) statements(n int) []string {
	b.t.Helper()
	b.eventually(`n => document.querySelectorAll("[data-testid=rows-dialog] .statements .code").length === n`, n)
	return eval[[]string](b, `[...document.querySelectorAll("[data-testid=rows-dialog] .statements .code")].map(e => e.innerText.trim())`)
}

var editWindows = []struct {
	width, height int64
	scheme        string
}{{390, 844, "light"}, {390, 844, "dark"}, {700, 900, "light"}, {700, 900, "dark"}, {1280, 800, "dark"}, {1280, 800, "light"}}

// Rows are edited, added and deleted, each can be taken back; what runs is what
// was shown, and a row that another program changed meanwhile is not
// overwritten.
func TestRowsAreEditedReviewedAndRun(t *testing.T) {
	s := newStudio(t, music)
	db, err := sql.Open("sqlite", filepath.Join(s.root, "app.db")+"?_pragma=busy_timeout(20000)")
	require.NoError(t, err)
	defer db.Close()
	row := func(query string) (text string) {
		require.NoError(t, db.QueryRow(query).Scan(&text))
		return text
	}
	s.panel("data")
	s.rowsOf("album")
	s.firstColumn(numbers(1, 50, 1)...)

	s.editCell("0 1", "It's first")
	s.editCell("1 3", "7.5")
	s.cell("3 1")
	s.press(button("row-delete"))
	s.has(`tr.row-delete`)
	s.press(button("row-add"))
	s.has(`tr.row-insert`)
	s.eventually(`() => document.activeElement.dataset.at === "50 0"`)
	s.sees("Left out: the database puts the column’s default")
	s.screenshot("new-row")
	s.editCell("50 0", "900")
	s.editCell("50 1", "New one")
	s.cell("4 1")
	s.press(button("cell-edit"))
	s.press(button("cell-null"))
	s.reads("rows-pending", "5 rows changed, not run yet")
	assert.Equal(t, "First", row("SELECT title FROM album WHERE album_id = 1"), "nothing was written yet")

	// What is pending outlives another table, and each change can be taken back.
	s.rowsOf("artist")
	s.firstColumn("1", "2", "3")
	s.reads("rows-pending", "")
	s.rowsOf("album")
	s.reads("rows-pending", "5 rows changed, not run yet")
	s.cell("4 1")
	s.press(button("cell-clear"))
	s.reads("rows-pending", "4 rows changed, not run yet")
	for _, w := range editWindows {
		s.size(w.width, w.height, w.scheme)
		s.fits(button("panel-data"), fmt.Sprintf("%d-%s-pending", w.width, w.scheme))
	}
	s.size(1280, 800, "light")

	// A value that was cut is changed once all of it was read.
	s.cell("2 4")
	s.eventually(`() => document.querySelector("[data-testid=cell-edit]").disabled`)
	s.press(button("value-whole"))
	s.press(button("cell-edit"))
	s.has(button("cell-text"))
	s.screenshot("editor")
	s.key("Escape")
	s.lacks(button("cell-text"))

	// What cannot be written is said before anything runs, and taken back there.
	s.editCell("5 0", "six")
	s.press(button("rows-review"))
	s.eventually(`() => document.querySelector("[data-testid=rows-dialog] .statements")?.children.length === 5`)
	s.statements(5)
	s.press(button("rows-run"))
	s.has(button("rows-failed"))
	s.sees("Nothing was changed. Change 4: datatype mismatch")
	s.lacks(button("conflict"))
	s.press(`.statements li:nth-child(4) [data-testid=row-take]`)
	s.lacks(button("rows-failed"))
	assert.Equal(t, []string{
		`DELETE FROM "main"."album" WHERE "album_id" = 4 AND "title" = 'Take 0' COLLATE BINARY AND "artist_id" = 3 AND "price" = 4 AND "extra" IS NULL AND "cover" IS NULL`,
		`UPDATE "main"."album" SET "title" = 'It''s first' WHERE "album_id" = 1 AND "title" = 'First' COLLATE BINARY`,
		`UPDATE "main"."album" SET "price" = 7.5 WHERE "album_id" = 2 AND "price" IS NULL`,
		`INSERT INTO "main"."album" ("album_id", "title") VALUES (900, 'New one')`,
	}, s.statements(4))
	for _, w := range editWindows {
		s.size(w.width, w.height, w.scheme)
		s.fits(button("rows-dialog"), fmt.Sprintf("%d-%s-review", w.width, w.scheme))
	}
	s.size(1280, 800, "light")

	// Another program is faster.
	_, err = db.Exec("UPDATE album SET title = 'Theirs' WHERE album_id = 1")
	require.NoError(t, err)
	s.press(button("rows-run"))
	s.has(button("conflict"))
	s.sees("Nothing was changed. Change 2")
	assert.Equal(t, [][]string{{"title", "First", "Theirs", "It's first"}},
		eval[[][]string](s.tab, `[...document.querySelectorAll("[data-testid=conflict] tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()))`))
	s.screenshot("conflict")
	s.hasNoSeriousBarrier()
	assert.Equal(t, "123 ", row("SELECT count(*) || ' ' FROM album"), "nothing was changed")
	s.size(390, 844, "dark")
	s.fits(button("rows-dialog"), "390-dark-conflict")
	s.size(1280, 800, "light")

	// The change is made to the row as it is now.
	s.press(button("conflict-rebase"))
	s.eventually(`() => document.querySelector("[data-testid=rows-dialog] .statements").innerText.includes("'Theirs'")`)
	s.press(button("rows-run"))
	s.lacks(button("rows-dialog"))
	s.toasts("4 rows changed.")
	s.reads("rows-pending", "")
	s.eventually(`() => document.querySelector('[data-at="0 1"]').textContent === "It's first"`)
	assert.Equal(t, "It's first 7.5 New one 123", row(`SELECT (SELECT title FROM album WHERE album_id = 1) || ' ' || (SELECT price FROM album WHERE album_id = 2)
		|| ' ' || (SELECT title FROM album WHERE album_id = 900) || ' ' || (SELECT count(*) FROM album)`))

	// It is in the list of what was approved and run.
	s.panel("approvals")
	s.click(`[data-testid=approvals-past] summary`)
	s.sees("a person at the page")
	s.sees("Change 4 rows of")
	s.screenshot("ledger")
}
