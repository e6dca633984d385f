package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// exact are values that are easily shown as another: what the page has to
// show for each, by its SQL.
var exact = [][2]string{
	{"9007199254740993", "9007199254740993"}, {"-9223372036854775808", "-9223372036854775808"}, {"0.1", "0.1"}, {"1.0", "1.0"},
	{"1e100", "1e+100"}, {"NULL", "NULL"}, {"'NULL'", "NULL"}, {"''", ""}, {"'007'", "007"}, {"'<b>bold</b>'", "<b>bold</b>"},
	{"'Zoë 船 👩‍🚀'", "Zoë 船 👩‍🚀"}, {"x'00ff'", "0x00ff"}, {"'2026-02-30'", "2026-02-30"},
}

// cells are the second column of the rows that the data panel shows.
func (b *tab) cells() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("[data-testid=grid] tbody tr")].map(r => r.querySelectorAll("td")[1].textContent)`)
}

func TestTheRowsOfATableAreReadPageByPage(t *testing.T) {
	const rows = 120
	script := "CREATE TABLE big (id INTEGER PRIMARY KEY, value ANY) STRICT;\n"
	want := make([]string, rows)
	for i := range rows {
		value := fmt.Sprintf("'row %d'", i+1)
		want[i] = fmt.Sprintf("row %d", i+1)
		if i < len(exact) {
			value, want[i] = exact[i][0], exact[i][1]
		}
		script += fmt.Sprintf("INSERT INTO big VALUES (%d, %s);\n", i+1, value)
	}
	s := newStudio(t, script)
	s.panel("data")
	within := func(text string) {
		t.Helper()
		s.eventually(`text => document.querySelector("[data-testid=data-range]")?.textContent === text`, text)
	}
	within("Rows 1 to 50")
	assert.Equal(t, want[:50], s.cells())
	assert.Equal(t, []string{"NULL"}, eval[[]string](s.tab, `[...document.querySelectorAll("[data-testid=grid] .null-value")].map(e => e.textContent)`),
		"no value is told from the text NULL")
	s.screenshot("first")
	assert.True(t, eval[bool](s.tab, `document.querySelector("[data-testid=data-previous]").disabled`))
	s.press(button("data-next"))
	within("Rows 51 to 100")
	assert.Equal(t, want[50:100], s.cells())
	s.press(button("data-next"))
	within("Rows 101 to 120, the last")
	assert.Equal(t, want[100:], s.cells())
	assert.True(t, eval[bool](s.tab, `document.querySelector("[data-testid=data-next]").disabled`))
	s.press(button("data-previous"))
	within("Rows 51 to 100")
	assert.Equal(t, want[50:100], s.cells())
	assert.Zero(t, eval[int](s.tab, `document.querySelectorAll("[data-testid=grid] :is(input, textarea, select, [contenteditable])").length`), "rows are only read")

	// Renamed in the design, it is still read under the name that the database has.
	s.rename(tableTitle("big"), "large")
	s.eventually(`() => document.querySelector("[data-testid=data-table]")?.selectedOptions[0]?.text === "large"`)
	within("Rows 51 to 100")
	s.press(button("data-previous"))
	within("Rows 1 to 50")
	assert.Equal(t, want[:50], s.cells())
}
