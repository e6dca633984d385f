package mssql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Permissions, and those that are denied, are of an object, not of its name.
func TestNothingWithPermissionsIsMadeAnew(t *testing.T) {
	for _, tt := range []struct{ name, edits, drops, asks string }{
		{"a table", `[{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"OrderId"},"set":{"isIdentity":true,"defaultValue":""}}]`,
			"DROP TABLE [sales].[Orders]", "p.major_id = OBJECT_ID(N'[sales].[Orders]')\n"},
		{"a bound view", `[{"op":"set_column","table":{"name":"Notes"},"column":{"name":"Id"},"set":{"dataType":"int"}}]`,
			"DROP VIEW [sales].[bound]", "p.major_id = OBJECT_ID(N'[sales].[bound]')\n"},
		{"a converted column", `[{"op":"set_column","table":{"name":"Notes"},"column":{"name":"Doc"},"set":{"dataType":"nvarchar(max)"}}]`,
			"ALTER TABLE [dbo].[Notes] DROP COLUMN [Doc]", "p.major_id = OBJECT_ID(N'[dbo].[Notes]') AND COL_NAME(p.major_id, p.minor_id) = N'Doc')"},
		{"a computed column", `[{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Vat"},"set":{"computedFormula":"Total * 0.2"}}]`,
			"ALTER TABLE [sales].[Orders] DROP COLUMN [Vat]", "p.major_id = OBJECT_ID(N'[sales].[Orders]') AND COL_NAME(p.major_id, p.minor_id) = N'Vat')"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := planOf(t, tt.edits)
			understood(t, plan)
			asked, dropped := -1, -1
			for i, s := range plan.Steps {
				if strings.HasPrefix(s.Statement, "IF EXISTS (SELECT 1 FROM sys.database_permissions ") && strings.Contains(s.Statement, tt.asks) {
					asked = i
				}
				if s.Statement == tt.drops {
					dropped = i
				}
			}
			require.NotEqual(t, -1, dropped, "%s", plan.Script())
			require.NotEqual(t, -1, asked, "%s", plan.Script())
			assert.Less(t, asked, dropped)
		})
	}
}
