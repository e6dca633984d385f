package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flaws looks for what a person would call broken: a page that is wider than
// its window, parts of the frame that lie outside of it or on one another,
// tables on one another, and text that is cut and does not say so.
const flaws = `phone => {
	const found = [];
	const seen = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== "hidden" };
	const all = s => [...document.querySelectorAll(s)].filter(seen);
	const name = e => e.dataset.testid ?? e.getAttribute("aria-label") ?? e.className ?? e.tagName;
	const over = (a, b) => {
		const [r, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
		return Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 1;
	};
	const apart = (list, what) => list.forEach((a, i) => list.slice(i + 1).forEach(b => {
		if (!a.contains(b) && !b.contains(a) && over(a, b)) found.push(what + ": " + name(a) + " and " + name(b));
	}));

	if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than its window");
	const controls = all(".topbar > *, .picker > *, .tab, .control-bar > *, .actions > *, .panel-head > *, .tip > *");
	apart(controls, "on one another");
	apart(all(".topbar, .tip, .dock, .panel, .tabs, .plane, .offline"), "on one another");
	apart(all(".react-flow__node"), "tables on one another");
	for (const e of [...controls, ...all(".topbar, .tip, .dock, .panel, .tabs, .plane, .minimap, .search, .filter-menu")]) {
		const r = e.getBoundingClientRect();
		if (r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5) found.push("outside the window: " + name(e));
		for (let p = e.parentElement; p; p = p.parentElement) {
			const q = p.getBoundingClientRect();
			if (getComputedStyle(p).overflowX !== "visible" && (r.right > q.right + 1 || r.left < q.left - 1)) found.push("cut by " + name(p) + ": " + name(e));
		}
	}
	for (const e of all(".table .name, .table .own, .table .schema, .table .type, .table .head, .topbar *, .tab-title, .action, .tip, .panel-head *")) {
		if (e.matches("option, svg *") || e.scrollWidth <= e.clientWidth + 1 || getComputedStyle(e).display === "inline") continue;
		if (!e.closest("[title]:not([title=''])")) found.push("cut without a title: " + name(e) + " " + e.textContent);
		const table = e.matches(".row .name, .row .type") && e.closest(".react-flow__node");
		if (table && table.offsetWidth < 460) found.push("cut though its table could be wider: " + e.textContent);
	}
	if (phone) for (const e of all(".topbar button, .topbar select, .dock button, .tab, .panel-head button")) {
		const r = e.getBoundingClientRect();
		if (r.width < 40 || r.height < 40) found.push("small for a finger: " + name(e) + " " + r.width + " by " + r.height);
	}
	return found.slice(0, 20);
}`

// looksGood fails the test for each flaw that is there once the view rests.
func (b *tab) looksGood(state string, phone bool) {
	b.t.Helper()
	b.rests()
	b.screenshot(state)
	assert.Empty(b.t, eval[[]string](b, flaws, phone), state)
}

// rests waits until nothing moves: frame by frame the tables stand where they
// stood and no animation of the view is under way.
func (b *tab) rests() {
	b.t.Helper()
	eval[bool](b, `async () => {
		const view = () => [...document.querySelectorAll(".react-flow__viewport, .react-flow__node, .panel, .dock")].map(e => getComputedStyle(e).transform + JSON.stringify(e.getBoundingClientRect())).join();
		for (let last = "", still = 0; still < 4; ) {
			await new Promise(done => requestAnimationFrame(done));
			const now = view();
			still = now === last && !document.querySelector("[aria-busy=true]") ? still + 1 : 0;
			last = now;
		}
		return true;
	}`, nil)
}

// do runs a click in the page itself, whatever lies over its element.
func (b *tab) do(selector string) {
	b.t.Helper()
	b.has(selector)
	eval[bool](b, `s => (document.querySelector(s).click(), true)`, selector)
}

// arranged waits until the page has laid out a design that nobody had, which
// it tells the instance.
func (b *tab) arranged() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return slices.ContainsFunc(b.puts, func(address string) bool { return strings.HasSuffix(address, "/layout") })
	}, patience, tick)
	b.rests()
}

type screen struct {
	width, height int64
	scheme        string
}

// narrow are half of a small screen, and what a window of 1280 by 900 has at a
// zoom of 200 %.
var narrow = []screen{{700, 800, "light"}, {700, 800, "dark"}, {640, 450, "dark"}}

var windows = slices.Concat([]screen{{1280, 800, "dark"}, {1280, 800, "light"}, {1760, 1000, "light"}, {1760, 1000, "dark"}, {390, 844, "dark"}, {390, 844, "light"}}, narrow)

// lookAround goes through what a person sees most, in windows of all sizes.
func lookAround(t *testing.T, script, schema, table string) {
	s := newStudio(t, script)
	s.arranged()
	for _, w := range windows {
		name := func(state string) string { return fmt.Sprintf("%s-%d-%s-%s", schema, w.width, w.scheme, state) }
		phone := w.width < 720
		s.size(w.width, w.height, w.scheme)
		eval[bool](s.tab, `(localStorage.removeItem("berth.guided"), true)`)
		s.reload()
		s.has(button("first-use"))
		s.looksGood(name("opened"), phone)
		s.do(button("first-use") + " button")
		s.do(button("fit"))
		s.looksGood(name("fit"), phone)
		s.inPlane(name("fit"))
		s.do(button("tab-changes"))
		s.has(button("panel-changes") + " " + button("changes"))
		s.looksGood(name("panel"), phone)
		s.inPlane(name("panel"))
		eval[bool](s.tab, `t => (location.hash = "table=main." + t, true)`, table)
		s.has(button("table-actions"))
		s.looksGood(name("selected"), phone)
		s.do(button("tab-changes"))
		s.lacks(button("panel-changes"))
		s.looksGood(name("close"), phone)
		s.do(button("filter"))
		s.looksGood(name("filter"), phone)
		s.do(button("filter"))
		s.do(button("search"))
		s.has(button("search-input"))
		s.looksGood(name("search"), phone)
		s.key("Escape")
		eval[bool](s.tab, `(document.activeElement.blur(), true)`)
		s.key("Escape")
		s.lacks(button("table-actions"))
		s.do(button("fit"))
	}
}

// inPlane requires that no table is behind a panel or out of the window.
func (b *tab) inPlane(state string) {
	b.t.Helper()
	out := eval[[]string](b, `() => {
		const f = document.querySelector(".plane").getBoundingClientRect();
		return [...document.querySelectorAll("[role=group][data-table]")].filter(e => {
			const r = e.getBoundingClientRect();
			return r.left < f.left || r.right > f.right || r.top < f.top || r.bottom > f.bottom;
		}).map(e => e.dataset.testid);
	}`, nil)
	assert.Empty(b.t, out, "%s: out of sight", state)
}

func TestThePageLooksGoodWithThreeTables(t *testing.T) { lookAround(t, threeTables, "3", "book") }

func TestThePageLooksGoodWithFortyTables(t *testing.T) {
	lookAround(t, theatreSQL(""), "40", "production")
}

func TestThePageLooksGoodWithAThousandTables(t *testing.T) {
	s := newStudio(t, thousandTables())
	s.arranged()
	for _, w := range windows {
		s.size(w.width, w.height, w.scheme)
		s.do(button("fit"))
		s.looksGood(fmt.Sprintf("1000-%d-%s-first", w.width, w.scheme), w.width < 720)
	}
	s.click(button("show-all"))
	for _, w := range slices.Concat(windows[1:5], narrow) {
		s.size(w.width, w.height, w.scheme)
		s.do(button("fit"))
		s.looksGood(fmt.Sprintf("1000-%d-%s-fit", w.width, w.scheme), w.width < 720)
		assert.Greater(t, eval[int](s.tab, `(() => {
			const c = document.querySelector("[data-testid=far-layer] canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
			const text = getComputedStyle(c).getPropertyValue("--text").match(/[0-9a-f]{2}/g).map(h => parseInt(h, 16));
			let n = 0;
			for (let i = 0; i < d.length; i += 4) n += d[i] === text[0] && d[i + 1] === text[1] && d[i + 2] === text[2];
			return n;
		})()`), 300, "names can be read")
	}
	eval[bool](s.tab, `(location.hash = "table=main.oslo_production", true)`)
	s.has(tableBox("oslo_production") + " .rows")
	s.looksGood("1000-390-dark-close", true)
	s.size(1280, 800, "dark")
	s.looksGood("1000-1280-dark-close", false)
}
