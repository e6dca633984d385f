package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/files/version"
)

// toasts waits until the page says something in passing.
func (b *tab) toasts(text string) {
	b.t.Helper()
	b.eventually(`text => [...document.querySelectorAll("[data-testid=toast]")].some(t => t.innerText.includes(text))`, text)
}

func TestAFileThatIsEditedInFastModeIsToldOf(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.own("files: {mode: fast}\n")
	const before = "north 4\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, "berths.txt"), []byte(before), 0o644))
	s := studioAt(t, w, root)
	s.apply(addTable("invoice"))
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id)") // so the page hears what happens
	edited := s.agent.ask(root, "fs_edit_file", map[string]any{"path": "berths.txt", "version": version.Of([]byte(before)),
		"edits": []any{map[string]any{"old_text": "north 4", "new_text": "north 5\neast 2"}}})
	require.False(t, edited.isError, "%v", edited.items)
	s.toasts("AI edited berths.txt (+2 −1)")
	s.screenshot("edited")
}

func TestAnEditOfFastModeIsUndoneAtThePage(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.own("files: {mode: fast}\n")
	const before = "north 4\n"
	file := filepath.Join(root, "berths.txt")
	require.NoError(t, os.WriteFile(file, []byte(before), 0o644))
	s := studioAt(t, w, root)
	s.apply(addTable("invoice"))
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id)") // so the page hears what happens
	edit := func() {
		edited := s.agent.ask(root, "fs_edit_file", map[string]any{"path": "berths.txt", "version": version.Of([]byte(before)),
			"edits": []any{map[string]any{"old_text": "north 4", "new_text": "north 5"}}})
		require.False(t, edited.isError, "%v", edited.items)
		s.toasts("AI edited berths.txt (+1 −1)")
	}
	edit()
	s.press(button("toast-action"))
	s.toasts("berths.txt is what it was before")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, string(text))
	s.panel("approvals")
	s.eventually(`() => document.querySelector("[data-testid=approvals-past]").open = true`)
	s.sees("Undo the edit of berths.txt (+1 -1)")

	edit()
	require.NoError(t, os.WriteFile(file, []byte("north 6\n"), 0o644))
	s.press(button("toast-action"))
	s.toasts("berths.txt has been changed since, so nothing was undone")
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "north 6\n", string(text))
}

func TestAnotherInstanceThatFailsOrIsTakenOverIsToldOf(t *testing.T) {
	long.Thoroughly(t)
	s := newStudio(t, twoTables)
	other := s.project("other", "")
	old := s.serve(other)
	s.panel("projects")
	s.eventually(`() => document.querySelectorAll("[data-testid=project][data-state=live]").length === 2`)
	newer := s.serve(other)
	old.wait()
	s.toasts("A new instance serves other now")
	newer.kill()
	s.toasts("The instance of other has failed")
	s.has(`[data-testid=project][data-state=stale]`)
	s.screenshot("failed")
	s.serve(other)
	s.eventually(`() => document.querySelectorAll("[data-testid=project][data-state=live]").length === 2`)
}

func TestTheDesignsFileIsTheOneThatEditedIt(t *testing.T) {
	s := newStudio(t, twoTables)
	s.apply(addTable("invoice"))
	s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id)")
	files := filepath.Join(s.root, ".berth", "designs", "*.json")
	var file string
	require.Eventually(t, func() bool {
		found, _ := filepath.Glob(files)
		if len(found) != 1 {
			return false
		}
		file = found[0]
		text, _ := os.ReadFile(file)
		return len(text) > 0
	}, patience, tick)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), `"name": "invoice"`)
	text = []byte(strings.ReplaceAll(string(text), `"name": "invoice"`, `"name": "bill"`))
	require.NoError(t, os.WriteFile(file, text, 0o644))
	s.shows("customer(id name)", "purchase(id customer_id)", "bill(id)")
	s.toasts("took back an edit of this design. One undo brings back what was before.")
	s.panel("activity")
	s.eventually(`() => document.querySelector("[data-testid=activity] .who")?.textContent === "Design file"`)
	s.eventually(`() => document.querySelector("[data-testid=activity]").innerText.includes("took back an edit: .berth/designs/")`)
}

// A toast that asks a person to look is of use for as long as there is
// something to look at, and it is not looked at already.
func TestWhatWaitsIsSaidNoLongerThanItWaits(t *testing.T) {
	s := newStudio(t, twoTables)
	waits := func(name string) string {
		file := filepath.Join(s.root, name)
		require.NoError(t, os.WriteFile(file, []byte("north 4\n"), 0o644))
		asked := s.agent.ask(s.root, "fs_edit_file", map[string]any{"path": name, "version": version.Of([]byte("north 4\n")),
			"edits": []any{map[string]any{"old_text": "north 4", "new_text": "north 5"}}})
		id := planInReply.FindStringSubmatch(strings.Join(asked.items, "\n"))
		require.NotNil(t, id, "%v", asked.items)
		return id[1]
	}
	s.has(`.shell`)
	first := waits("first.txt")
	s.toasts("Waits for you: Edit first.txt")
	second := waits("second.txt")
	s.toasts("Waits for you: Edit second.txt")
	key := s.signIn(s.in)
	decide := func(id, decision string) {
		status, body := request(t, s.in, "POST", "/approvals/"+id, `{"decision":"`+decision+`"}`, map[string]string{"Authorization": key})
		require.Equal(t, 200, status, body)
	}
	decide(first, "reject") // at another page
	s.lacksToast("Waits for you: Edit first.txt")
	s.toasts("Waits for you: Edit second.txt")
	s.panel("approvals")
	s.has(`[data-testid=approval][data-state=pending]`)
	s.lacksToast("Waits for you: Edit second.txt")
	decide(second, "approve")
	s.has(`[data-testid=approval][data-state=approved]`)
}

// lacksToast waits until the page no longer says it.
func (b *tab) lacksToast(text string) {
	b.t.Helper()
	b.eventually(`text => [...document.querySelectorAll("[data-testid=toast]")].every(t => !t.innerText.includes(text))`, text)
}

// inTheWay are the toasts that lie on something, are not wholly in the window,
// or have words that cannot be seen.
const inTheWay = `() => {
	const over = (r, q) => Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 1;
	const rect = e => e.getBoundingClientRect();
	return [...document.querySelectorAll("[data-testid=toast]")].flatMap(toast => {
		const strip = rect(toast.parentElement), t = {...rect(toast).toJSON(), bottom: Math.min(rect(toast).bottom, strip.bottom)}, name = toast.innerText.slice(0, 20);
		const out = t.left < 0 || t.top < 0 || t.right > innerWidth || t.bottom > innerHeight ? [name + " is outside the window"] : [];
		const words = rect(toast.querySelector("span")), top = document.elementFromPoint(words.left + words.width / 2, words.top + words.height / 2);
		if (!toast.contains(top)) out.push(name + " cannot be read");
		const parts = [...document.querySelectorAll(".react-flow__node, .dock > *, .tab, .topbar > *, .minimap, .panel, .editor, .tip")];
		return [...out, ...parts.filter(e => rect(e).width > 0 && over(t, rect(e))).map(e => name + " covers " + (e.dataset.id ?? e.className))];
	});
}`

func TestToastsCoverNothing(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	for _, w := range []screen{{390, 844, "light"}, {640, 450, "dark"}, {700, 800, "dark"}, {1280, 800, "light"}} {
		s.size(w.width, w.height, w.scheme)
		for _, panel := range []string{"", "changes"} {
			if panel != "" {
				s.do(button("tab-" + panel))
				s.has(button("panel-" + panel))
			}
			s.do(button("fit"))
			s.rests()
			s.key("alt+r")
			s.toasts("Select a table first")
			s.key("ctrl+z")
			s.toasts("There is nothing to undo.")
			s.rests()
			state := fmt.Sprintf("%d-%s", w.width, panel)
			s.screenshot(state)
			assert.Empty(t, eval[[]string](s.tab, inTheWay, nil), state)
			s.inPlane(state)
			s.eventually(`() => {
				document.querySelectorAll("[data-testid=toast] .icon-button").forEach(close => close.click());
				return document.querySelector("[data-testid=toast]") === null;
			}`)
			if panel != "" {
				s.do(button("tab-" + panel))
				s.lacks(button("panel-" + panel))
			}
		}
	}
}

// What is said below the canvas comes by itself and leaves by itself: the second
// press of a double click has to meet the table that the first one met.
func TestNoTableMovesForWhatIsSaidBelowTheCanvas(t *testing.T) {
	s := newStudio(t, twoTables)
	s.arranged()
	const tops = `() => [...document.querySelectorAll(".react-flow__node")].map(e => e.getBoundingClientRect().y).sort()`
	at := eval[[]float64](s.tab, tops, nil)
	s.key("alt+r")
	s.toasts("Select a table first")
	s.rests()
	assert.Equal(t, at, eval[[]float64](s.tab, tops, nil), "a toast came")
	s.click(button("toast") + ` [aria-label="Dismiss"]`)
	s.lacks(button("toast"))
	s.rests()
	assert.Equal(t, at, eval[[]float64](s.tab, tops, nil), "it left")
	s.has(button("first-use"))
	s.click(button("first-use") + " button")
	s.lacks(button("first-use"))
	s.rests()
	assert.Equal(t, at, eval[[]float64](s.tab, tops, nil), "the hint was closed")
}

// A toast is of no use once what it offers cannot be had, or what it says is
// true no more.
func TestAToastLeavesWhenItsMatterIsSettled(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.key("ctrl+z")
	s.toasts("There is nothing to undo.")
	s.click(tableTitle("stay"))
	s.click(button("duplicate-table"))
	s.toasts("Added stay_copy.")
	s.leaves("There is nothing to undo.")
	s.apply(addTable("invoice"))
	s.leaves("Added stay_copy.")
}

// leaves waits for a toast to leave before its time is up.
func (b *tab) leaves(text string) {
	b.t.Helper()
	eval[bool](b, `async text => {
		for (const end = performance.now() + 4000; performance.now() < end; await new Promise(done => setTimeout(done, 50)))
			if ([...document.querySelectorAll("[data-testid=toast]")].every(t => !t.innerText.includes(text))) return true;
		throw new Error("still there: " + text);
	}`, text)
}

// The mark of a nullable column is beside its type, at any width of the box.
func TestTheMarkOfANullableColumnIsApartFromItsType(t *testing.T) {
	s := newStudio(t, `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, amount NUMERIC, a_long_name_of_a_column_that_needs_the_room VARCHAR(4000));`)
	s.shows("note(id body amount a_long_name_of_a_column_that_needs_the_room)")
	gaps := eval[[]float64](s.tab, `[...document.querySelectorAll(".row")].filter(r => r.querySelector(".null").textContent)
		.map(row => {
			const edges = of => { const range = document.createRange(); range.selectNodeContents(row.querySelector(of)); return range.getBoundingClientRect() }
			const type = row.querySelector(".type").getBoundingClientRect()
			return (edges(".null").left - Math.min(edges(".type").right, type.right)) / (row.getBoundingClientRect().height / row.offsetHeight)
		})`)
	require.Len(t, gaps, 3)
	for _, gap := range gaps {
		require.GreaterOrEqual(t, gap, 2.5, "in CSS pixels: %v", gaps)
	}
	s.screenshot("nullable")
}
