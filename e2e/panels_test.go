package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/version"
)

// panel opens a panel by its tab, if it is not open.
func (b *tab) panel(id string) {
	b.t.Helper()
	b.has(button("tab-" + id))
	if !eval[bool](b, `s => document.querySelector(s) !== null`, button("panel-"+id)) {
		b.click(button("tab-" + id))
	}
	b.has(button("panel-" + id))
}

// enabled waits until a button can be pressed.
func (b *tab) enabled(selector string) {
	b.t.Helper()
	b.eventually(`s => document.querySelector(s)?.disabled === false`, selector)
}

// press clicks a button once it can be pressed, bringing it into view.
func (b *tab) press(selector string) {
	b.t.Helper()
	b.enabled(selector)
	eval[bool](b, `s => (document.querySelector(s).scrollIntoView({block: "center"}), true)`, selector)
	b.click(selector)
}

// studioOn is a studio on a database of the dialect.
func studioOn(t *testing.T, dialect string) (*studio, servedDatabase) {
	t.Helper()
	needsBrowser(t)
	w := newWorld(t)
	served := dialects[dialect](t, w)
	s := &studio{world: w, t: t, root: served.root}
	s.in = w.serve(s.root)
	s.agent = w.agent()
	require.True(t, s.agent.design(s.root, map[string]any{"operation": "show"}).Success)
	s.tab = w.page(s.in)
	s.has(button("canvas"))
	return s, served
}

func TestAPersonPublishesFromThePage(t *testing.T) {
	t.Parallel()
	for dialect, column := range map[string]string{"sqlite": "NUMERIC", "postgres": "integer"} {
		t.Run(dialect, func(t *testing.T) {
			s, served := studioOn(t, dialect)
			s.sees("In sync")
			s.apply(map[string]any{"op": "add_column", "table": map[string]any{"name": "boats"},
				"column": map[string]any{"name": "length_m", "dataType": column, "isNullable": true}})
			s.sees("Proposed 1")
			s.panel("changes")
			s.sees("length_m")
			s.press(button("verify"))
			s.has(button("report-done"))
			s.press(button("publish"))
			s.screenshot("ask")
			s.confirmPublish()
			s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
			s.screenshot("done")
			s.press(button("publish-close"))
			s.sees("In sync")
			served.exec("UPDATE boats SET length_m = 9 WHERE id = 10")

			s.apply(map[string]any{"op": "drop_column", "table": map[string]any{"name": "boats"}, "column": map[string]any{"name": "length_m"}})
			s.sees("drop column length_m")
			s.press(button("publish"))
			s.has(button("publish-data-loss"))
			s.screenshot("loss")
			s.confirmLoss()
			s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
			s.press(button("publish-close"))
			s.sees("In sync")
		})
	}
}

// A review is the net of all steps: accepted or taken back by object or field,
// and what a person changed since is the person's.
func TestAReviewShowsTheNetAndTakesBackPartsOfIt(t *testing.T) {
	s := newStudio(t, twoTables)
	customer := map[string]any{"name": "customer"}
	set := func(column, to string) map[string]any {
		return map[string]any{"op": "set_column", "table": customer, "column": map[string]any{"name": column}, "set": map[string]any{"dataType": to}}
	}
	s.apply(addTable("tmp"), map[string]any{"op": "drop_table", "table": map[string]any{"name": "tmp"}},
		set("name", "BLOB"), set("name", "VARCHAR(220)"), addTable("good"), addTable("bad"),
		map[string]any{"op": "add_column", "table": customer, "column": map[string]any{"name": "fax", "dataType": "TEXT", "isNullable": true}})
	s.panel("review")
	s.sees("3 tables to look at")
	s.sees("TEXT → VARCHAR(220)")
	s.has(`[data-testid="reviewed-main.customer"]`)
	s.has(`.row.net-change[data-testid="column-main.customer.name"]`)
	s.hasNoSeriousBarrier()
	for _, w := range []struct {
		width, height int64
		scheme        string
	}{{390, 844, "light"}, {700, 800, "dark"}, {1280, 800, "light"}, {1280, 800, "dark"}} {
		s.size(w.width, w.height, w.scheme)
		s.screenshot(fmt.Sprintf("%d-%s", w.width, w.scheme))
	}
	s.press(`[data-testid="net-main.customer"] [aria-label="Take back column name type"]`)
	s.lacks(`.row.net-change`)
	s.press(`[data-testid="net-main.bad"] [data-testid=take-back]`)
	s.sees("2 tables to look at")
	s.press(`[data-testid="net-main.good"] [data-testid=accept]`)
	s.sees("1 table to look at")
	s.eventually(`() => document.activeElement?.closest("[data-testid=review]") != null`) // the button is gone
	s.names([]string{"customer", "purchase", "good"})
	s.shows("customer(id name fax)", "purchase(id customer_id)", "good(id)")
	s.agrees()
	s.reload()
	s.panel("review")
	s.sees("1 table to look at")
	s.press(button("accept-all"))
	s.sees("Nothing to look at")

	s.write(button("note-text"), "call it bills")
	s.press(button("note-send"))
	s.sees("waits for its next call")
	got := s.agent.design(s.root, map[string]any{"operation": "get_overview"})
	assert.Contains(t, got.text, "person's note on this design, typed at berth's page: call it bills")
	s.sees("read by")
	assert.NotContains(t, s.agent.design(s.root, map[string]any{"operation": "get_overview"}).text, "bills")
}

var planInReply = regexp.MustCompile(`"?plan_id"?[^A-Za-z0-9]+([A-Za-z0-9_-]{6,})`)

func TestAPersonApprovesOrRejectsAtThePage(t *testing.T) {
	s := newStudio(t, twoTables)
	file := filepath.Join(s.root, "berths.txt")
	const before = "north 4\nsouth 9\n"
	require.NoError(t, os.WriteFile(file, []byte(before), 0o644))
	edit := func(to string) map[string]any {
		return map[string]any{"path": "berths.txt", "version": version.Of([]byte(before)),
			"edits": []any{map[string]any{"old_text": "north 4", "new_text": to}}}
	}
	file1 := s.agent.ask(s.root, "fs_edit_file", edit("north 5"))
	id := planInReply.FindStringSubmatch(strings.Join(file1.items, "\n"))
	require.NotNil(t, id, "%v", file1.items)
	s.panel("approvals")
	s.has(`[data-testid=approval][data-state=pending]`)
	s.sees("north 5")
	s.screenshot("queue")
	content := func() string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, before, content(), "nothing is done before a person decides")
	s.press(`[data-testid=approval][data-state=pending] [data-testid=approve]`)
	s.has(`[data-testid=approval][data-state=approved]`)
	allowed := edit("north 5")
	allowed["plan_id"] = id[1]
	done := s.agent.ask(s.root, "fs_edit_file", allowed)
	require.False(t, done.isError, "%v", done.items)
	assert.Equal(t, "north 5\nsouth 9\n", content())
	s.has(`[data-testid=approval][data-state=used]`)

	refused := s.agent.ask(s.root, "execute-sql", map[string]any{"statement": "DELETE FROM customer"})
	id = planInReply.FindStringSubmatch(strings.Join(refused.items, "\n"))
	require.NotNil(t, id, "%v", refused.items)
	s.sees("DELETE FROM customer")
	s.press(`[data-testid=approval][data-state=pending] [data-testid=reject]`)
	s.has(`[data-testid=approval][data-state=rejected]`)
	denied := s.agent.ask(s.root, "execute-sql", map[string]any{"statement": "DELETE FROM customer", "plan_id": id[1]})
	assert.True(t, denied.isError, "%v", denied.items)
	rows := s.agent.ask(s.root, "run-query", map[string]any{"query": "SELECT count(*) AS n FROM customer"})
	assert.Contains(t, rows.text(), "1")
}

// What loses data wants the database's name typed, whoever asks to publish it;
// what loses none takes a press.
func TestAnAgentsLossOfDataWantsTheNameTypedAtThePage(t *testing.T) {
	s := newStudio(t, twoTables)
	s.apply(addTable("invoice"))
	publish := func(payload map[string]any) reply {
		return s.agent.design(s.root, map[string]any{"operation": "publish", "payload": payload})
	}
	id := planID.FindStringSubmatch(publish(map[string]any{}).Message)
	require.NotNil(t, id)
	s.panel("approvals")
	s.has(`[data-testid=approval][data-state=pending] [data-testid=approve]:enabled`)
	s.lacks(button("approve-name"))
	s.press(`[data-testid=approval][data-state=pending] [data-testid=approve]`)
	s.has(`[data-testid=approval][data-state=approved]`)
	require.True(t, publish(map[string]any{"planId": id[1]}).Success)
	s.has(`[data-testid=approval][data-state=used]`)

	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "purchase"}})
	id = planID.FindStringSubmatch(publish(map[string]any{}).Message)
	require.NotNil(t, id)
	s.has(`[data-testid=approval][data-state=pending] [data-testid=approve]:disabled`)
	s.write(button("approve-name"), "app")
	s.has(`[data-testid=approval][data-state=pending] [data-testid=approve]:disabled`)
	s.screenshot("publish")
	s.hasNoSeriousBarrier()
	s.write(button("approve-name"), "app.db")
	s.has(`[data-testid=approval][data-state=pending] [data-testid=approve]:enabled`)
	s.press(`[data-testid=approval][data-state=pending] [data-testid=approve]`)
	s.has(`[data-testid=approval][data-state=approved]`)
	done := publish(map[string]any{"planId": id[1]})
	assert.True(t, done.Success, done.text)
	s.lacks(`[data-testid=approval][data-state=approved]`)
}

func TestThePageLeadsToAnotherProject(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	desktop := w.desktop()
	s := studioAt(t, w, w.project("app", twoTables))
	there := s.serve(s.project("there", "CREATE TABLE elsewhere (id INTEGER PRIMARY KEY)"))
	s.expectOffline() // the test ends that instance before the tab
	s.panel("projects")
	s.press(`[data-testid=open-project][aria-label="Open there"]`)
	s.sees("there opens in your browser")
	path, err := os.ReadFile(desktop)
	require.NoError(t, err)
	text, err := os.ReadFile(string(path))
	require.NoError(t, err)
	address := addressInFile.FindSubmatch(text)
	require.NotNil(t, address, "%s", text)
	other := newTab(t)
	other.expectOffline()
	other.goTo(string(address[1]))
	other.shows("elsewhere(id)")
	assert.Equal(t, there.ProjectRoot, eval[string](other, `JSON.parse(localStorage.getItem("berth.credential")).projectRoot`))
}

func TestATextIsTriedAndThenImported(t *testing.T) {
	s := newStudio(t, twoTables)
	s.panel("transfer")
	s.has(button("transfer-view-import"))
	eval[bool](s.tab, `(document.querySelector("[data-testid=transfer-view-import]").click(), true)`)
	s.write(button("import-text"), "CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id));")
	s.press(button("import-try"))
	s.has(button("import-tried"))
	assert.NotContains(t, s.shown(), "invoice(id customer_id)")
	s.press(button("import-apply"))
	s.sees("Proposed 1")
	s.click(button("fit")) // what is out of sight is not drawn
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id customer_id)")
	s.agrees()
	s.write(button("import-text"), "CREATE TABEL nonsense")
	s.press(button("import-try"))
	s.has(button("import-refused"))
}

func TestEveryPanelIsFreeOfSeriousBarriers(t *testing.T) {
	s := newStudio(t, twoTables)
	s.apply(addTable("invoice"))
	var ids []string
	require.NoError(t, json.Unmarshal([]byte(eval[string](s.tab,
		`JSON.stringify([...document.querySelectorAll("[data-testid^=tab-]")].map(t => t.dataset.testid.slice(4)))`)), &ids))
	require.Contains(t, ids, "changes")
	for _, id := range ids {
		s.panel(id)
		s.eventually(`() => !document.querySelector("[aria-busy=true]")`)
		s.screenshot(fmt.Sprintf("panel-%s", id))
		s.hasNoSeriousBarrier()
	}
}

// Owners and rights are the database's, so that the page asks for them only
// where the export is in its words.
func TestThePageExportsOwnersOnRequest(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	db := dialects["postgres"](t, w)
	db.exec("GRANT SELECT ON boats TO PUBLIC")
	s := studioAt(t, w, db.root)
	s.panel("transfer")
	s.press(button("transfer-view-export"))
	const text = `document.querySelector("[data-testid=panel-transfer]").innerText`
	s.eventually(`() => ` + text + `.includes("CREATE TABLE public.boats") && !` + text + `.includes("GRANT SELECT")`)
	s.press(button("export-owners"))
	s.eventually(`() => ` + text + `.includes("GRANT SELECT ON TABLE public.boats TO PUBLIC")`)
	s.screenshot("export-owners")
	s.press(button("export-format-dbml"))
	s.eventually(`() => ` + text + `.includes("Table boats") && !document.querySelector("[data-testid=export-owners]")`)
}

// The tree of changes says what a column was and what it becomes, whether the
// changes can be published or not.
func TestTheTreeOfChangesSaysBeforeAndAfter(t *testing.T) {
	s := newStudio(t, `CREATE TABLE album (id INTEGER PRIMARY KEY, title VARCHAR(220) NOT NULL);`)
	s.apply(map[string]any{"op": "set_column", "table": map[string]any{"name": "album"}, "column": map[string]any{"name": "title"},
		"set": map[string]any{"dataType": "text", "isNullable": true}})
	s.panel("changes")
	s.sees("VARCHAR(220) not null → text null")
	s.size(1280, 800, "light")
	s.click(tableTitle("album"))
	s.fits(".dock", "beside-changes")
	assert.Empty(t, eval[[]string](s.tab, `[...document.querySelectorAll(".dock .action")].filter(a => a.getBoundingClientRect().right > document.querySelector(".canvas").getBoundingClientRect().right).map(a => a.dataset.testid)`),
		"no action lies below the panel")
}

// What was done is known after the page is loaded again: who did it, by which
// program, and when.
func TestTheActivityIsThereAfterAReload(t *testing.T) {
	s := newStudio(t, twoTables)
	s.apply(addTable("invoice"), addTable("receipt"))
	s.has(tableBox("receipt"))
	s.click(tableTitle("customer"))
	s.click(button("duplicate-table"))
	s.has(tableBox("customer_copy"))
	s.key("ctrl+z")
	s.lacks(tableBox("customer_copy"))
	lines := func(want ...string) {
		t.Helper()
		s.panel("activity")
		s.eventually(`want => {
			const lines = [...document.querySelectorAll("[data-testid=activity] .activity-item")];
			return JSON.stringify(lines.map(l => l.querySelector(".who").textContent + ": " + l.querySelector(".what").textContent.replaceAll("main.", ""))) === JSON.stringify(want)
				&& lines.every(l => Math.abs(Date.now() - Date.parse(l.querySelector("time").dateTime)) < 600000);
		}`, want)
	}
	lines("You: undid: dropped table customer_copy", "You: added table customer_copy", "berth-e2e 1: added tables invoice, receipt")
	s.reload()
	lines("You: undid: dropped table customer_copy", "You: Add table customer_copy (undone since)", "berth-e2e 1: Add table invoice and 1 more")
	s.screenshot("reloaded")
	s.click(button("activity") + " li:last-child button")
	s.selects("invoice", "receipt")
}
