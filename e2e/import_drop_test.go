package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dropFile lets a file fall on an element, as from the desktop.
func (b *tab) dropFile(selector, file string) {
	b.t.Helper()
	x, y := b.point(selector)
	const copying = 1
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		tell(b, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y,
			Data: &input.DragData{Items: []*input.DragDataItem{}, Files: []string{file}, DragOperationsMask: copying}})
	}
}

func TestAFileThatIsDroppedIsTriedAndImported(t *testing.T) {
	for name, c := range map[string]struct{ format, text string }{
		"schema.sql":  {"sql", "CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id));"},
		"schema.dbml": {"dbml", "Table invoice {\n  id INTEGER [pk]\n  customer_id INTEGER [ref: > customer.id]\n}\n"},
		"notes.txt":   {"dbml", "Table invoice {\n  id INTEGER [pk]\n  customer_id INTEGER [ref: > customer.id]\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStudio(t, twoTables)
			s.shows("customer(id name)", "purchase(id customer_id)")
			file := filepath.Join(s.dir, name)
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
			eval[bool](s.tab, `(addEventListener("drop", e => { window.kept = e.defaultPrevented }), true)`)
			s.dropFile(button("canvas"), file)
			s.eventually(`window.kept === true`) // else the browser shows the file in the page's place
			s.panel("transfer")
			s.press(button("transfer-view-import"))
			s.has(button("import-drop"))
			s.dropFile(button("import-drop"), file)
			s.eventually(`text => document.querySelector("[data-testid=import-text]").value === text`, c.text)
			s.eventually(`format => document.querySelector("[data-testid=import-format]").value === format`, c.format)
			s.sees(name)
			s.press(button("import-try"))
			s.has(button("import-tried"))
			s.screenshot("tried")
			s.press(button("import-apply"))
			s.sees("Proposed 1")
			s.click(button("fit"))
			s.shows("customer(id name)", "purchase(id customer_id)", "invoice(id customer_id)")
			s.agrees()
			assert.Contains(t, s.agent.design(s.root, map[string]any{"operation": "get_relationships"}).text, "invoice")
		})
	}
}
