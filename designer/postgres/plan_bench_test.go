package postgres

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// BenchmarkPlanOneEdit plans one new column: each batch of edits is planned
// once before it is acknowledged.
func BenchmarkPlanOneEdit(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var def designer.Definition
			for i := range n {
				t := designer.TableDefinition{Schema: "public", Name: fmt.Sprintf("table_%d", i)}
				for c := range 15 {
					t.Columns = append(t.Columns, designer.Column{Name: fmt.Sprintf("column_%d", c), DataType: "integer", IsNullable: c > 0})
				}
				def.Tables = append(def.Tables, t)
			}
			base, err := designer.Build(Dialect(), def, nil)
			require.NoError(b, err)
			design := edited(b, base, `[{"op":"add_column","table":{"name":"table_3"},"column":{"name":"more","dataType":"text","isNullable":true}}]`)
			for b.Loop() {
				_, err := Engine{}.Plan(designer.DiffOf(base, design))
				require.NoError(b, err)
			}
		})
	}
}
