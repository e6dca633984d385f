package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestATableIsDrawnAndPublishedInTheDialectsOwnTypes(t *testing.T) {
	t.Parallel()
	for dialect, c := range map[string]struct{ dataType, column, stored string }{
		"postgres": {"jsonb", "payload", "SELECT count(*) FROM information_schema.columns WHERE table_name = 'Events' AND column_name = 'payload' AND data_type = 'jsonb'"},
		"mysql":    {"mediumtext", "payload", "SELECT count(*) FROM information_schema.columns WHERE table_schema = database() AND table_name = 'Events' AND column_name = 'payload' AND data_type = 'mediumtext'"},
	} {
		t.Run(dialect, func(t *testing.T) {
			s, served := studioOn(t, dialect)
			eval[bool](s.tab, `(localStorage.setItem("berth.guided", "1"), true)`) // not here for the first time
			s.reload()
			s.sees("In sync")
			s.click(button("add-table"))
			s.write(button("table-name"), "Events")
			s.write(button("table-key"), "id")
			s.press(`[data-testid=new-table] [data-testid=save]`)
			s.lacks(button("new-table"))
			offered := eval[[]string](s.tab, `[...document.querySelector("[data-testid=dataType-new]").list.options].map(o => o.value)`)
			assert.Contains(t, offered, c.dataType, "the list offers the dialect's types")
			s.column(c.column, c.dataType)
			s.press(button("edit-column-" + c.column))
			s.write(button("column-type"), "decimal")
			s.label("Precision", "3")
			s.label("Scale", "4")
			s.eventually(`() => {
				const wrong = [...document.querySelectorAll(".editor [aria-invalid=true]")];
				return wrong.length === 1 && wrong[0].labels[0].textContent === "Scale";
			}`)
			s.screenshot("scale")
			s.write(button("column-type"), c.dataType)
			s.press(`[data-testid=column-form] [data-testid=save]`)
			s.lacks(button("column-form"))
			s.press(button("done"))
			s.sees("Proposed 1")

			s.panel("changes")
			s.press(button("verify"))
			s.has(button("report-done"))
			s.press(button("publish"))
			s.confirmPublish()
			s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
			s.press(button("publish-close"))
			s.eventually(`() => document.querySelector("[data-testid=sync]").innerText.includes("In sync")`)
			s.screenshot("synced")
			assert.Equal(t, 1, served.count(c.stored))
		})
	}
}

// label writes into the field with a label.
func (b *tab) label(label, text string) {
	b.t.Helper()
	b.eventually(`label => {
		const found = [...document.querySelectorAll("label")].find(l => l.textContent === label)?.control;
		if (!found) return false;
		found.setAttribute("data-test-field", label);
		return true;
	}`, label)
	b.write(`[data-test-field="`+label+`"]`, text)
}
