package e2e

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// studio is a project with its page open in a browser and an agent at work.
type studio struct {
	*world
	*tab
	t     *testing.T
	root  string
	in    *instance
	agent *agent
}

func newStudio(t *testing.T, script string) *studio {
	t.Helper()
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	return studioAt(t, w, w.project("app", script))
}

// studioAt is a studio on a project that is there.
func studioAt(t *testing.T, w *world, root string) *studio {
	t.Helper()
	s := &studio{world: w, t: t, root: root}
	s.in = w.serve(s.root)
	s.agent = w.agent()
	require.True(t, s.agent.design(s.root, map[string]any{"operation": "show"}).Success)
	s.tab = w.page(s.in)
	s.has(`[data-testid=canvas]`)
	return s
}

// tick is how often a test looks at a tab again.
const tick = 50 * time.Millisecond

// version is the design's now, as the agent is told.
func (s *studio) version() string {
	s.t.Helper()
	return s.agent.design(s.root, map[string]any{"operation": "get_overview"}).Version
}

// apply makes edits as the agent.
func (s *studio) apply(list ...map[string]any) {
	s.t.Helper()
	got := s.agent.design(s.root, edits(s.version(), list...))
	require.True(s.t, got.Success, got.text)
}

// tables are the design's, as the agent is told: "album(id title)".
func (s *studio) tables() []string {
	s.t.Helper()
	list := []string{}
	for _, table := range s.agent.design(s.root, map[string]any{"operation": "get_overview"}).Overview.Tables {
		var columns []string
		for _, c := range table.Columns {
			columns = append(columns, c.Name)
		}
		list = append(list, table.Name+"("+strings.Join(columns, " ")+")")
	}
	return list
}

// shown are the tables that a tab shows, in the same words and order.
func (b *tab) shown() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll("[data-testid^=table-][data-table]")].map(t =>
		t.dataset.testid.replace(/^table-[^.]*\./, "") + "(" +
		[...t.querySelectorAll("[data-column] .name")].map(c => c.textContent).join(" ") + ")").sort()`)
}

// shows waits until a tab shows exactly these tables.
func (b *tab) shows(tables ...string) {
	b.t.Helper()
	require.EventuallyWithT(b.t, func(c *assert.CollectT) { assert.ElementsMatch(c, tables, b.shown()) }, patience, tick)
}

func tableBox(name string) string   { return fmt.Sprintf(`[data-testid="table-main.%s"]`, name) }
func columnRow(name string) string  { return fmt.Sprintf(`[data-testid="column-main.%s"]`, name) }
func button(test string) string     { return fmt.Sprintf(`[data-testid="%s"]`, test) }
func tableTitle(name string) string { return tableBox(name) + ` .head .name` }

// rename renames in place, as by a double click on a name.
func (b *tab) rename(selector, to string) {
	b.t.Helper()
	b.click(selector, 2)
	b.has(button("rename"))
	b.key("ctrl+a")
	b.typed(to)
	b.key("Enter")
	b.lacks(button("rename"))
}

func TestTheCanvasShowsTheDatabaseAndRenamesInPlace(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.screenshot("start")
	s.has(button("edge"))

	s.rename(tableTitle("customer"), "client")
	s.shows("client(id name)", "purchase(id customer_id)")
	s.rename(columnRow("client.name")+` .name`, "label")
	s.shows("client(id label)", "purchase(id customer_id)")
	s.agrees()
	s.sees("Proposed")

	s.key("ctrl+z")
	s.shows("client(id name)", "purchase(id customer_id)")
	s.key("ctrl+z")
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.sees("In sync")
	s.key("ctrl+shift+z")
	s.click(button("redo"))
	s.shows("client(id label)", "purchase(id customer_id)")
	s.agrees()
}

// agrees waits until the agent is told what the tab shows.
func (s *studio) agrees() {
	s.t.Helper()
	require.EventuallyWithT(s.t, func(c *assert.CollectT) { assert.ElementsMatch(c, s.tables(), s.shown()) }, patience, tick)
}

func TestWhatTheAgentDoesAppearsAsTheAgents(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.apply(addTable("invoice"), map[string]any{"op": "add_column", "table": map[string]any{"name": "customer"},
		"column": map[string]any{"name": "mail", "dataType": "TEXT", "isNullable": true}})
	s.shows("customer(id name mail)", "purchase(id customer_id)", "invoice(id)")
	for _, name := range []string{"invoice", "customer"} {
		s.eventually(`s => document.querySelector(s + " .chip")?.textContent === "Agent"`, tableBox(name))
	}
	s.eventually(`s => document.querySelector(s + " .chip") === null`, tableBox("purchase"))
	s.screenshot("agent")
}

func TestTwoTabsAndAnAgentSeeOneDesign(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	other := s.another()
	other.goTo(s.in.URL)
	other.shows("customer(id name)", "purchase(id customer_id)")

	s.apply(addTable("invoice"))
	s.rename(tableTitle("customer"), "client")
	other.rename(tableTitle("purchase"), "sale")
	want := []string{"client(id name)", "sale(id customer_id)", "invoice(id)"}
	s.shows(want...)
	other.shows(want...)
	assert.ElementsMatch(t, want, s.tables())
	other.key("ctrl+z")
	s.shows("client(id name)", "purchase(id customer_id)", "invoice(id)")
	s.agrees()
}

func TestMovedTablesStayWhereTheyAreAfterAReload(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.arranged() // else the other tab arranges too, and the later of both stands
	apart := func(b *tab) []float64 {
		return eval[[]float64](b, `(a, b) => {
			const [p, q] = [a, b].map(s => document.querySelector(s).getBoundingClientRect()); // in widths of the first
			return [(q.x - p.x) / p.width, (q.y - p.y) / p.width].map(d => Math.round(d * 100));
		}`, tableBox("customer"), tableBox("purchase"))
	}
	before := apart(s.tab)
	x, y := s.point(tableBox("customer") + ` .head`)
	s.dragTo(x, y, x+90, y+160)
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NotEqual(c, before, apart(s.tab)) }, patience, tick)
	s.point(tableBox("customer") + ` .head`) // once it has come to rest
	moved := apart(s.tab)
	other := s.another()
	other.goTo(s.in.URL)
	other.has(tableBox("purchase"))
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.InDeltaSlice(c, moved, apart(other), 2) }, patience, tick)
	s.reload()
	s.has(tableBox("purchase"))
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.InDeltaSlice(c, moved, apart(s.tab), 2) }, patience, tick)

	x, y = other.point(tableBox("purchase") + ` .head`)
	other.dragTo(x, y, x+120, y+30)
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		assert.NotEqual(c, moved, apart(other))
		assert.InDeltaSlice(c, apart(other), apart(s.tab), 2)
	}, patience, tick, "the other tab follows")
}

func TestAPageOutlivesItsInstance(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.expectOffline()
	s.in.kill()
	s.has(button("offline"))
	s.screenshot("offline")
	s.rename(tableTitle("customer"), "client")
	s.shows("client(id name)", "purchase(id customer_id)")

	s.in = s.serve(s.root)
	s.lacks(button("offline"))
	s.shows("client(id name)", "purchase(id customer_id)")
	s.agrees()
	s.apply(addTable("invoice"))
	s.shows("client(id name)", "purchase(id customer_id)", "invoice(id)")
}

func TestAnEditMadeWhileTheAgentChangedTheSameThingAsksWhichShallStand(t *testing.T) {
	for chosen, customers := range map[string]string{"keep-theirs": "patron(id name)", "make-mine": "client(id name)"} {
		t.Run(chosen, func(t *testing.T) { clash(t, chosen, customers) })
	}
}

func clash(t *testing.T, chosen, customers string) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.expectOffline()
	s.in.kill()
	s.has(button("offline"))
	s.rename(tableTitle("customer"), "client") // of no instance as yet
	s.rename(tableTitle("purchase"), "sale")
	// The page may only come back once the agent has been faster.
	hold := eval[string](s.tab, `(() => { const real = window.fetch; window.fetch = (...a) => window.held ? real(...a) : Promise.reject(new TypeError("held")); return "" })()`)
	require.Empty(t, hold)
	s.in = s.serve(s.root)
	s.apply(map[string]any{"op": "set_table", "table": map[string]any{"name": "customer"}, "set": map[string]any{"name": "patron"}})
	eval[bool](s.tab, `window.held = true`)
	s.lacks(button("offline"))
	s.shows("patron(id name)", "sale(id customer_id)")
	s.has(button("clash"))
	s.eventually(`() => document.querySelector("[data-testid=clash-theirs]").textContent.includes("main.patron") &&
		document.querySelector("[data-testid=clash-mine]").textContent === "name client"`)
	s.screenshot("both-sides")
	s.hasNoSeriousBarrier()
	s.press(button(chosen))
	s.lacks(button("clash"))
	s.shows(customers, "sale(id customer_id)")
	s.agrees()
}

func TestNamesAreTextWhateverTheyLookLike(t *testing.T) {
	names := []string{`<img src=x onerror=window.pwned=1>`, `"><script>window.pwned=1</script>`, `javascript:window.pwned=1`, "\u202egnp.exe"}
	script := ""
	for _, n := range names {
		script += fmt.Sprintf("CREATE TABLE %s (%s TEXT);\n", sqlName(n), sqlName(n))
	}
	s := newStudio(t, script)
	s.eventually(`n => document.querySelectorAll("[data-testid^=table-][data-table]").length === n`, len(names))
	for _, n := range names[:3] {
		s.sees(n)
	}
	s.screenshot("names")
	s.apply(addTable(`<svg onload=window.pwned=2>`))
	s.sees(`<svg onload=window.pwned=2>`)
	assert.True(t, eval[bool](s.tab, `window.pwned === undefined && document.querySelector("img[src=x]") === null`))
}

func sqlName(n string) string { return `"` + strings.ReplaceAll(n, `"`, `""`) + `"` }

func TestTheDriftOfADatabaseIsSeen(t *testing.T) {
	s := newStudio(t, twoTables)
	s.sees("In sync")
	s.apply(addTable("invoice"))
	s.sees("Proposed")
	s.apply(map[string]any{"op": "add_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "phone", "dataType": "INTEGER"}})
	s.query("CREATE TABLE elsewhere (id INTEGER PRIMARY KEY, n TEXT); ALTER TABLE customer ADD COLUMN phone TEXT")
	s.sees("Drifted") // by itself
	s.screenshot("drifted")
}

// query changes the project's database behind everyone's back.
func (s *studio) query(script string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.root, "app.db"))
	require.NoError(s.t, err)
	_, err = db.Exec(script)
	require.NoError(s.t, err)
	require.NoError(s.t, db.Close())
}

func TestThePageFitsWindowsLargeAndSmallInBothSchemes(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	for _, scheme := range []string{"light", "dark"} {
		for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
			s.size(size[0], size[1], scheme)
			s.eventually(`() => document.documentElement.scrollWidth <= window.innerWidth`)
			s.key("1") // zoom to fit
			s.screenshot(fmt.Sprintf("%s-%d", scheme, size[0]))
			s.hasNoSeriousBarrier()
		}
	}
}

// hasNoSeriousBarrier runs axe-core on what the tab shows.
func (b *tab) hasNoSeriousBarrier() {
	b.t.Helper()
	file := filepath.Join("peers", "node_modules", "axe-core", "axe.min.js")
	axe, err := os.ReadFile(file)
	if err != nil {
		needs.Missing(b.t, "axe-core", "npm ci --prefix e2e/peers installs it")
	}
	eval[bool](b, string(axe)+";true")
	found := eval[string](b, `(async () => JSON.stringify((await axe.run(document, {resultTypes: ["violations"]})).violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 5).map(n => n.html.slice(0, 200) + " " + n.failureSummary)}))))()`)
	var violations []map[string]any
	require.NoError(b.t, json.Unmarshal([]byte(found), &violations))
	assert.Empty(b.t, violations)
}
