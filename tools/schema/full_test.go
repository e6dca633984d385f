package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mssql"
)

const fullOrders = `"payload":{"table":{"name":"Orders"}},"options":{"includeColumns":"full","includeForeignKeys":true}`

// SQL Server's attributes are shown as the other dialects' are; the stories
// have those on real servers.
func TestAFullTableShowsWhatSQLServerHasOfItsOwn(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	w.sources[0].dialect = mssql.Dialect()
	orders := &w.sources[0].def.Tables[1]
	orders.Comment = "What was bought"
	orders.Options = map[string]string{mssql.OptionVersioning: "dbo.OrdersHistory"}
	orders.Columns[2].Options = map[string]string{mssql.OptionDefaultName: "DF_Total", mssql.OptionSparse: "true"}
	orders.PrimaryKey.Options = map[string]string{mssql.OptionClustered: "false"}
	orders.Indexes[0].Include = []string{"OrderId"}
	orders.Indexes[0].Options = map[string]string{mssql.OptionFillFactor: "80"}
	orders.Indexes = append(orders.Indexes, designer.IndexDefinition{Name: "CS", Method: mssql.MethodColumnstore,
		Parts: []designer.IndexKeyDefinition{{Column: "Total"}}})
	orders.Checks[0].Options = map[string]string{mssql.OptionNotTrusted: "true"}
	orders.ForeignKeys[0].Options = map[string]string{mssql.OptionDisabled: "true"}
	w.show()
	_, text := w.ask("get_table", fullOrders)
	for _, part := range []string{
		`"comment":"What was bought","options":{"system_versioning":"dbo.OrdersHistory"}`,
		`"options":{"default_name":"DF_Total","sparse":"true"}`,
		`"primaryKey":{"name":"PK_Orders","columns":["OrderId"],"options":{"clustered":"false"}}`,
		`"include":["OrderId"],"options":{"fill_factor":"80"}`,
		`"method":"columnstore"`,
		`"options":{"not_trusted":"true"}`,
		`"options":{"disabled":"true"}`,
	} {
		assert.Contains(t, text, part)
	}
	assert.LessOrEqual(t, len(text), 1900)
	for _, include := range []string{"none", "names", "namesAndTypes"} {
		_, text := w.ask("get_table", `"payload":{"table":{"name":"Orders"}},"options":{"includeColumns":%q,"includeForeignKeys":true}`, include)
		assert.NotContains(t, text, `options`, "only full costs more than before")
		assert.NotContains(t, text, `comment`)
	}
}

func TestAFullTableIsBounded(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	def := &w.sources[0].def
	values := make([]string, 5000)
	for i := range values {
		values[i] = fmt.Sprintf("value %d", i)
	}
	long := strings.Repeat("\x01long ", 100_000)
	orders := &def.Tables[1]
	orders.Comment, orders.Options = long, map[string]string{"a": long, "b": "short"}
	for i := range 40 {
		orders.Columns = append(orders.Columns, designer.Column{Name: fmt.Sprintf("Own%d", i), DataType: "nvarchar", MaxLength: "10",
			IsNullable: true, Values: values, DefaultValue: long, ComputedFormula: long, Comment: long, Options: map[string]string{"x": long, "y": long}})
	}
	def.Objects = append(def.Objects, designer.Object{Kind: designer.ObjectType, Schema: "dbo", Name: "nvarchar", Values: values})
	for i := range 3000 {
		def.Objects = append(def.Objects, designer.Object{Kind: designer.ObjectPartition, Schema: "dbo", Name: fmt.Sprintf("Orders_%d", i), Table: "Orders",
			Definition: fmt.Sprintf("CREATE TABLE dbo.Orders_%d PARTITION OF dbo.Orders FOR VALUES IN (%d)", i, i)})
	}
	w.show()
	seen := map[string]bool{}
	for offset := 0; ; {
		r, text := w.ask("get_table", `"payload":{"table":{"name":"Orders"}},"options":{"includeColumns":"full","offset":%d}`, offset)
		if offset == 0 {
			assert.Contains(t, text, `"partitionCount":3000`)
			assert.Contains(t, text, `"valueCount":5000`)
		}
		for _, c := range r.Table.Columns {
			seen[c["name"].(string)] = true
			if list, ok := c["values"].([]any); ok {
				assert.Len(t, list, 200)
				assert.EqualValues(t, 5000, c["valueCount"])
			}
		}
		if r.Table.NextOffset == 0 {
			break
		}
		require.Greater(t, r.Table.NextOffset, offset, "every page leads on")
		offset = r.Table.NextOffset
	}
	assert.Len(t, seen, 43)
	r, text := w.ask("get_metadata", "")
	assert.True(t, r.Success)
	assert.Contains(t, text, `"carriedCount":3000`)
}
