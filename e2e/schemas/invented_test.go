package schemas_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
)

// A column that takes no NULL and has no default: the plan says that it
// depends on the rows, and trying it refuses it where there are any; or, on a
// server that fills the rows by itself, the plan says that values are
// invented. NULLs that are there are refused everywhere.
func TestValuesAreInventedNowhereWithoutARisk(t *testing.T) {
	added := `{"op":"add_column","table":{"name":"t"},"column":{"name":"c","dataType":"integer","isNullable":false}}`
	tightened := `{"op":"set_column","table":{"name":"t"},"column":{"name":"n"},"set":{"isNullable":false}}`
	rebuilt := `{"op":"set_column","table":{"name":"t"},"column":{"name":"other"},"set":{"dataType":"text"}}` // on SQLite by a new table
	for dialect, tr := range trips {
		for name, edit := range map[string]string{"added": added, "added to what is rebuilt": added + "," + rebuilt, "tightened": tightened} {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				db, _ := tr.server.New(t)
				for _, statement := range []string{"CREATE TABLE t (id integer PRIMARY KEY, n integer, other integer)", "INSERT INTO t (id) VALUES (1)"} {
					_, err := db.ExecContext(t.Context(), statement)
					require.NoError(t, err)
				}
				def, err := tr.engine.Inspect(t.Context(), db)
				require.NoError(t, err)
				base, err := designer.Build(tr.engine.Dialect(), def, nil)
				require.NoError(t, err)
				design, err := designer.Restore(base.Dialect(), base.Tables(), &designer.Options{DefaultSchema: base.DefaultSchema(), Catalog: base.Catalog()})
				require.NoError(t, err)
				list, refused := edits.Decode(json.RawMessage("[" + edit + "]"))
				require.Nil(t, refused)
				for _, e := range list {
					_, refused := design.Apply(e)
					require.Nil(t, refused)
				}
				plan, err := tr.engine.Plan(designer.DiffOf(base, design))
				require.NoError(t, err)
				tried := tr.engine.Verify(t.Context(), db, plan, nil)
				if dialect == "mysql" && name != "tightened" {
					assert.Contains(t, plan.Risks(), designer.RiskInventsValues)
					assert.NoError(t, tried)
					return
				}
				assert.NotContains(t, plan.Risks(), designer.RiskInventsValues)
				assert.Contains(t, plan.Risks(), designer.RiskMayFail)
				assert.Error(t, tried)
			})
		}
	}
}
