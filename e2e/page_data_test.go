package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// music is a schema with rows that refer to each other, values of all kinds and
// texts that are not what they seem.
const music = `CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE album (album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist (artist_id), price NUMERIC, extra TEXT, cover BLOB);
INSERT INTO artist VALUES (1, 'Zeta'), (2, 'alpha'), (3, '50% ''off''');
INSERT INTO album VALUES (1, 'First', 1, 5, '{"tracks":[1.0,12345678901234567890]}', x'48692e00'), (2, 'Second', 1, NULL, NULL, NULL), (3, NULL, 2, 12.5, replace(hex(zeroblob(9000)), '00', 'ab'), NULL);
INSERT INTO album SELECT value, 'Take ' || (value % 2), 3, value, NULL, NULL FROM (WITH RECURSIVE n(value) AS (SELECT 4 UNION ALL SELECT value + 1 FROM n WHERE value < 123) SELECT value FROM n);`

// firstColumn are the texts of the rows' first column, which is the key.
func (b *tab) firstColumn(want ...string) {
	b.t.Helper()
	b.eventually(`want => [...document.querySelectorAll("[data-testid=grid] tbody tr")].map(r => r.querySelector("td").textContent).join(" ") === want
		&& document.querySelector("[data-testid=grid]").ariaBusy === "false"`, strings.Join(want, " "))
}

// rowsOf shows a table in the data panel.
func (b *tab) rowsOf(table string) {
	b.t.Helper()
	b.eventually(`name => [...document.querySelector("[data-testid=data-table]")?.options ?? []].some(o => o.text === name)`, table)
	b.choose(button("data-table"), eval[string](b, `name => [...document.querySelector("[data-testid=data-table]").options].find(o => o.text === name).value`, table))
}

// cell presses a cell of the rows, by its row and column.
func (b *tab) cell(at string) {
	b.t.Helper()
	cell := fmt.Sprintf(`[data-at="%s"]`, at)
	b.has(cell)
	eval[bool](b, `s => (document.querySelector(s).scrollIntoView({block: "center", inline: "center"}), true)`, cell)
	b.click(cell)
}

// sortBy presses the head of a column.
func (b *tab) sortBy(column string) {
	b.t.Helper()
	b.click(fmt.Sprintf(`[data-testid=grid] th:nth-child(%s) .head`, column))
}

// filtered adds a condition.
func (b *tab) filtered(column, is, value string) {
	b.t.Helper()
	b.choose(button("filter-column"), column)
	b.choose(button("filter-is"), is)
	if value != "" {
		b.write(button("filter-value"), value)
	}
	b.press(button("filter-add"))
}

func (b *tab) reads(testID, text string) {
	b.t.Helper()
	b.eventually(`(s, text) => document.querySelector(s)?.textContent === text`, button(testID), text)
}

// takesAway keeps what the page copies and saves in window.copied and
// window.saved.
func (b *tab) takesAway() {
	b.t.Helper()
	eval[bool](b, `(() => {
		Object.defineProperty(navigator.clipboard, "writeText", {value: text => (window.copied = text, Promise.resolve())});
		const make = URL.createObjectURL;
		URL.createObjectURL = blob => (blob.text().then(text => window.saved = text), make.call(URL, blob));
		return true;
	})()`)
}

func numbers(from, to, step int) (list []string) {
	for n := from; (to-n)*step >= 0; n += step {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

func TestRowsAreSortedFilteredAndCounted(t *testing.T) {
	s := newStudio(t, music)
	s.panel("data")
	s.rowsOf("album")
	s.firstColumn(numbers(1, 50, 1)...)
	s.press(button("data-count"))
	s.reads("data-counted", "123 rows in all")

	// By title, and behind it by the key: the rows of equal titles come in the
	// same order on all pages.
	s.sortBy("3")
	s.has(`th[aria-sort=ascending]`)
	s.firstColumn(append([]string{"3", "1", "2"}, numbers(4, 96, 2)...)...)
	s.press(button("data-next"))
	s.firstColumn(append(numbers(98, 122, 2), numbers(5, 77, 2)...)...)
	s.sortBy("3")
	s.has(`th[aria-sort=descending]`)
	s.firstColumn(numbers(5, 103, 2)...)
	s.reads("data-range", "Rows 1 to 50")
	s.sortBy("3")
	s.firstColumn(numbers(1, 50, 1)...)

	s.click(button("data-filter"))
	s.filtered("title", "contains", "take 1")
	s.firstColumn(numbers(5, 103, 2)...)
	s.press(button("data-count"))
	s.reads("data-counted", "60 rows in all")
	s.filtered("price", "lt", "10")
	s.firstColumn("5", "7", "9")
	s.reads("data-range", "Rows 1 to 3, the last")
	s.sortBy("5")
	s.sortBy("5")
	s.firstColumn("9", "7", "5")
	assert.Equal(t, []string{"title contains take 1", "price < 10"}, eval[[]string](s.tab, `[...document.querySelectorAll("[data-testid=data-condition]")].map(e => e.innerText.trim())`))
	s.screenshot("filtered")

	// What is filtered is saved, in its order.
	s.takesAway()
	s.press(button("data-save-csv"))
	s.eventually(`() => window.saved === "album_id,title,artist_id,price,extra,cover\r\n9,Take 1,3,9,,\r\n7,Take 1,3,7,,\r\n5,Take 1,3,5,,\r\n"`)
	s.press(button("data-save-json"))
	s.eventually(`() => { try { return JSON.parse(window.saved).map(r => r.album_id).join() === "9,7,5" } catch { return false } }`)

	// Conditions go one by one; an order or a filter that fails can be taken back.
	s.press(button("data-condition"))
	s.firstColumn("9", "8", "7", "6", "1", "5", "4")
	s.press(button("data-condition"))
	s.filtered("title", "null", "")
	s.firstColumn("3")
	s.press(button("data-condition"))
	s.filtered("title", "eq", `' OR 1=1 --`)
	s.reads("data-range", "No rows")
	s.hasNoSeriousBarrier()
}

func TestForeignKeysLeadFromRowToRowAndBack(t *testing.T) {
	s := newStudio(t, music)
	s.panel("data")
	s.rowsOf("album")
	s.firstColumn(numbers(1, 50, 1)...)
	s.sortBy("3")
	s.firstColumn(append([]string{"3", "1", "2"}, numbers(4, 96, 2)...)...)
	s.click(`[data-testid=grid] tbody tr:first-child .jump`)
	s.firstColumn("2")
	s.reads("data-range", "Rows 1 to 1, the last")
	s.cell("0 1")
	s.has(button("value"))
	s.screenshot("value")
	s.press(button("jump-from"))
	s.firstColumn("3")
	s.cell("0 0")
	s.press(button("jump-to"))
	s.firstColumn("2")
	for _, want := range [][]string{{"3"}, {"2"}, append([]string{"3", "1", "2"}, numbers(4, 96, 2)...)} {
		s.press(button("data-back"))
		s.firstColumn(want...)
	}
	s.lacks(button("data-back"))
	s.has(`th[aria-sort=ascending]`)
}

func TestCellsAreSeenWholeAndCopied(t *testing.T) {
	s := newStudio(t, music)
	s.panel("data")
	s.rowsOf("album")
	s.firstColumn(numbers(1, 50, 1)...)
	s.takesAway()
	value := func() string {
		return eval[string](s.tab, `document.querySelector("[data-testid=value] .code").innerText`)
	}

	s.cell("0 4")
	s.has(button("value"))
	assert.Equal(t, "{\n  \"tracks\": [\n    1.0,\n    12345678901234567890\n  ]\n}", value(), "as it is, to the last digit")
	s.press(button("copy-value"))
	s.eventually(`() => window.copied === '{"tracks":[1.0,12345678901234567890]}'`)
	s.cell("0 5")
	s.eventually(`() => document.querySelector("[data-testid=value] .code").innerText.includes("Hi..")`)
	assert.Contains(t, value(), "48 69 2e 00")
	s.sees("4 bytes")
	s.press(button("copy-row"))
	s.eventually(`() => JSON.parse(window.copied).cover === "0x48692e00"`)

	// A long value is cut, and read whole by the key of its row.
	s.cell("2 4")
	s.sees("cut: 18,000 bytes in all")
	s.press(button("value-whole"))
	s.eventually(`() => document.querySelector("[data-testid=value] .code").innerText === "ab".repeat(9000)`)
	s.lacks(button("value-whole"))

	// A rectangle, by keys.
	s.cell("0 0")
	s.key("shift+ArrowRight")
	s.key("shift+ArrowDown")
	s.eventually(`() => document.querySelectorAll("[data-testid=grid] td[aria-selected=true]").length === 4 && document.activeElement.dataset.at === "1 1"`)
	s.key("ctrl+c")
	s.eventually(`() => window.copied === "1\tFirst\n2\tSecond"`)
	s.press(button("filter-same"))
	s.firstColumn("2")

	s.press(button("data-condition"))
	s.firstColumn(numbers(1, 50, 1)...)
	s.click(button("data-filter"))
	for _, w := range windows {
		s.size(w.width, w.height, w.scheme)
		s.cell("0 0")
		s.has(button("value"))
		s.fits(button("panel-data"), fmt.Sprintf("%d-%s", w.width, w.scheme))
		s.looksGood(fmt.Sprintf("%d-%s-all", w.width, w.scheme), w.width < 720)
	}
	s.hasNoSeriousBarrier()
}

// A person's own query reads only: it is completed, run, explained, refused
// where it writes, and found again.
func TestAQueryOfOnesOwnIsCompletedRunAndExplained(t *testing.T) {
	s := newStudio(t, music)
	s.panel("data")
	s.has(button("grid"))
	s.click(button("data-kind-sql"))
	s.click(button("sql-text"))
	s.typed("SELECT a.ti")
	s.lacks(`[data-testid=suggestion]`)
	s.typed(" FROM alb")
	s.has(`[data-testid=suggestion]`)
	s.key("Tab")
	s.eventually(`() => document.querySelector("[data-testid=sql-text]").value === "SELECT a.ti FROM album"`)
	s.typed(" a WHERE a.al")
	s.has(`[data-testid=suggestion][aria-selected=true]`)
	s.screenshot("suggestions")
	s.key("Tab")
	s.typed(" = 1")
	s.lacks(`[data-testid=suggestion]`)
	s.press(button("sql-run"))
	s.has(button("sql-failed"))
	s.write(button("sql-text"), "SELECT title, extra FROM album WHERE album_id = 1")
	s.key("ctrl+Enter")
	s.eventually(`() => document.querySelector("[data-testid=sql-range]")?.textContent.startsWith("1 row in ")`)
	s.firstColumn("First")
	s.cell("0 1")
	s.eventually(`() => document.querySelector("[data-testid=value] .code")?.innerText.includes("12345678901234567890")`)
	s.screenshot("rows")
	s.press(button("sql-plan"))
	s.eventually(`() => /SEARCH|SCAN/.test(document.querySelector("[data-testid=sql-outcome]").innerText)`)
	s.write(button("sql-text"), "DELETE FROM album")
	s.press(button("sql-run"))
	s.eventually(`() => document.querySelector("[data-testid=sql-failed]")?.innerText.includes("reads only")`)
	s.choose(button("sql-past"), "1")
	s.eventually(`() => document.querySelector("[data-testid=sql-text]").value.startsWith("SELECT title, extra")`)
	s.press(button("sql-run"))
	s.firstColumn("First")
	for _, w := range slices.Concat(windows[3:5], narrow) {
		s.size(w.width, w.height, w.scheme)
		s.fits(button("panel-data"), fmt.Sprintf("%d-%s", w.width, w.scheme))
	}
	s.hasNoSeriousBarrier()
}

// Every dialect reads the rows that a person asks for.
func TestRowsAreFilteredOnServers(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"postgres", "mysql"} {
		t.Run(dialect, func(t *testing.T) {
			s, _ := studioOn(t, dialect)
			s.panel("data")
			s.has(button("grid"))
			s.click(button("data-filter"))
			column := eval[string](s.tab, `document.querySelector("[data-testid=filter-column]").value`)
			s.filtered(column, "gt", "0")
			s.eventually(`() => /^(Rows|No rows)/.test(document.querySelector("[data-testid=data-range]")?.textContent ?? "") && !document.querySelector("[data-testid=panel-error]")`)
			s.lacks(button("panel-error"))
		})
	}
}
