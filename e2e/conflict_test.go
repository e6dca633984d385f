package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAPersonChoosesWhereDesignAndDatabaseConflict(t *testing.T) {
	for side, dataType := range map[string]string{"design": "INTEGER", "database": "TEXT"} {
		t.Run(side, func(t *testing.T) {
			s := newStudio(t, twoTables)
			s.sees("In sync")
			s.apply(map[string]any{"op": "add_column", "table": map[string]any{"name": "customer"},
				"column": map[string]any{"name": "phone", "dataType": "INTEGER", "isNullable": true}})
			s.query("ALTER TABLE customer ADD COLUMN phone TEXT")
			s.panel("changes")
			s.has(button("conflict"))
			s.sees("Drifted")
			s.eventually(`() => {
				const sides = document.querySelector("[data-testid=conflict]").innerText;
				return sides.includes("INTEGER") && sides.includes("TEXT");
			}`)
			s.screenshot("conflict")
			s.hasNoSeriousBarrier()
			assert.True(t, eval[bool](s.tab, `document.querySelector("[data-testid=resolve]").disabled`), "a side has to be chosen first")
			s.press(button("side-" + side))
			s.press(button("resolve"))
			s.has(button("rebase-question"))
			s.screenshot("question")
			s.press(button("rebase-yes"))
			s.lacks(button("conflicts"))
			if side == "database" {
				s.sees("In sync")
			} else {
				s.sees("Proposed 1")
			}
			s.eventually(`(row, dataType) => document.querySelector(row)?.innerText.includes(dataType)`, columnRow("customer.phone"), dataType)
			table := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "customer"}}})
			assert.Contains(t, table.text, fmt.Sprintf(`"name":"phone","dataType":"%s"`, dataType))
		})
	}
}
