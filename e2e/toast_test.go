package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
