package convert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
)

// FuzzTexts sees that no SQL text panics, and that what is passed on is an
// expression of the other dialect that ends where it ends.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{
		`(("Name")::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))`, "([price]>=(0) AND [Name]!=N'x')",
		"coalesce(`a`, `b`) > 1.5e3", "CASE WHEN a THEN b END", "((now())::date)", "timezone('utc'::text, now())", "t.a + -1", "('now'", "a::", "= ANY (", "b'1'",
	} {
		f.Add(seed, byte(1))
	}
	dialects := []string{"sqlite", "postgres", "mysql", "mssql"}
	all := sides()
	f.Fuzz(func(t *testing.T, sql string, way byte) {
		from, to := all[dialects[way%4]].engine.Dialect(), all[dialects[way/4%4]].engine.Dialect()
		if from.Name == to.Name {
			return
		}
		s, err := designer.Build(from, designer.Definition{Tables: []designer.TableDefinition{{Name: "t",
			Columns: []designer.Column{{Name: "a", DataType: "int"}, {Name: "Name", DataType: "varchar", MaxLength: "9", DefaultValue: sql},
				{Name: "price", DataType: "decimal", IsComputed: true, ComputedFormula: sql}},
			Checks:  []designer.CheckDefinition{{Expression: sql}},
			Indexes: []designer.IndexDefinition{{Name: "x", Where: sql, Parts: []designer.IndexKeyDefinition{{Column: "a"}}}}}}}, nil)
		require.NoError(t, err)
		out, _, err := convert.Convert(s, to)
		require.NoError(t, err)
		var texts []string
		for _, c := range out.Tables[0].Columns {
			texts = append(texts, c.DefaultValue, c.ComputedFormula)
		}
		for _, k := range out.Tables[0].Checks {
			texts = append(texts, k.Expression)
		}
		for _, x := range out.Tables[0].Indexes {
			texts = append(texts, x.Where)
		}
		for _, text := range texts {
			_, ok := to.Tokens(text)
			require.True(t, ok, "%s passed on as %s", sql, text)
		}
	})
}
