package mssql

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// readRows feeds rows to what reads them, as a server would.
func readRows(t testing.TB, row func(scanner) error, rows ...[]any) {
	t.Helper()
	for _, values := range rows {
		err := row(func(places ...any) error {
			require.Len(t, places, len(values), "%v", values)
			for i, v := range values {
				assign(t, places[i], v)
			}
			return nil
		})
		require.NoError(t, err)
	}
}

func assign(t testing.TB, place, value any) {
	t.Helper()
	switch p := place.(type) {
	case *string:
		*p = value.(string)
	case *int:
		*p = value.(int)
	case *int64:
		*p = int64(value.(int))
	case *bool:
		*p = value.(bool)
	default:
		require.Fail(t, "a place of a kind that is not known", "%T", place)
	}
}

// col is a row of the columns' query.
func col(object, id int, name, typ string, length, precision, scale int, more map[string]any) []any {
	get := func(key string, otherwise any) any {
		if v, given := more[key]; given {
			return v
		}
		return otherwise
	}
	return []any{object, id, name, typ, get("schema", "sys"), get("user", false), length, precision, scale,
		get("collation", ""), get("null", true), get("identity", false), get("computed", false), get("sparse", false),
		get("guid", false), get("hidden", false), get("generated", 0), get("set", false), get("masked", false),
		get("default", ""), get("unnamed", false), get("text", ""), get("formula", ""), get("persisted", false), get("xml", "")}
}

type attributes = map[string]any

// sampleCatalog is what SQL Server says of a table with much in it.
func sampleCatalog(t testing.TB) *catalog {
	c := newCatalog()
	c.collation, c.schemas = "Latin1_General_CI_AS", []string{"dbo", "sales"}
	readRows(t, c.readTable,
		tableValues(1, "dbo", "kinds", nil),
		tableValues(2, "sales", "prices", attributes{"temporal": 2, "history": "[sales].[past]"}),
		tableValues(3, "sales", "fast", attributes{"memory": true}))
	readRows(t, c.readColumn,
		col(1, 1, "id", "bigint", 8, 19, 0, attributes{"null": false, "identity": true}),
		col(1, 2, "a", "nvarchar", 80, 0, 0, attributes{"collation": "Latin1_General_CI_AS", "default": "DF__kinds__a__1", "unnamed": true, "text": "(N'x')"}),
		col(1, 3, "b", "varchar", -1, 0, 0, attributes{"collation": "Latin1_General_BIN2", "default": "DF_b", "text": "((0))", "masked": true}),
		col(1, 4, "c", "decimal", 9, 12, 3, attributes{"sparse": true}),
		col(1, 5, "d", "datetime2", 7, 23, 3, nil),
		col(1, 6, "e", "timestamp", 8, 0, 0, attributes{"null": false}),
		col(1, 7, "f", "Flag", 1, 1, 0, attributes{"schema": "sales", "user": true}),
		col(1, 8, "g", "int", 4, 10, 0, attributes{"computed": true, "formula": "([c]*(2))", "persisted": true, "null": false}),
		col(1, 9, "h", "xml", -1, 0, 0, attributes{"xml": "[dbo].[docs]"}),
		col(1, 10, "i", "vector", 1544, 0, 0, nil),
		col(1, 11, "j", "sysname", 256, 0, 0, attributes{"null": false, "collation": "Latin1_General_CI_AS"}),
		col(1, 12, "k", "float", 8, 53, 0, nil),
		col(2, 1, "id", "int", 4, 10, 0, attributes{"null": false}),
		col(2, 2, "from", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 1, "hidden": true}),
		col(2, 3, "to", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 2, "hidden": true}),
		col(3, 1, "id", "int", 4, 10, 0, attributes{"null": false}),
		col(9, 1, "a", "int", 4, 10, 0, attributes{"null": false}),
		col(9, 2, "b", "nvarchar", 40, 0, 0, attributes{"collation": "Latin1_General_CI_AS"}))
	readRows(t, c.readIdentity, []any{1, 1, "10", "5", true})
	readRows(t, c.readMask, []any{1, 3, "default()"})
	// object, index, name, type, unique, primary, constraint, unnamed, filter, fill, padded, ignore, disabled, compression
	readRows(t, c.readIndex,
		[]any{1, 0, "", 0, false, false, false, false, "", 0, false, false, false, 2},
		[]any{1, 2, "PK__kinds__3213E83F", 2, true, true, false, true, "", 0, false, false, false, 0},
		[]any{1, 3, "UQ_a", 2, true, false, true, false, "", 0, false, false, false, 0},
		[]any{1, 4, "ix", 2, false, false, false, false, "([a] IS NOT NULL)", 80, true, false, true, 1},
		[]any{1, 5, "px", 3, false, false, false, false, "", 0, false, false, false, 0},
		[]any{1, 6, "sx", 3, false, false, false, false, "", 0, false, false, false, 0},
		[]any{2, 1, "PK_prices", 1, true, true, false, false, "", 0, false, false, false, 0},
		[]any{3, 1, "ccs", 5, false, false, false, false, "", 0, false, false, false, 3},
		[]any{9, 1, "PK__pairs__1", 1, true, true, false, true, "", 0, false, false, false, 0},
		[]any{20, 1, "cx", 1, true, false, false, false, "", 0, false, false, false, 0},
		[]any{20, 2, "more", 2, false, false, false, false, "", 0, false, false, false, 0})
	readRows(t, c.readIndexKey,
		[]any{1, 2, "id", true, false}, []any{1, 3, "a", false, false},
		[]any{1, 4, "c", true, false}, []any{1, 4, "d", false, true}, []any{1, 5, "h", false, false}, []any{1, 6, "h", false, false},
		[]any{2, 1, "id", false, false}, []any{3, 1, "id", false, true}, []any{9, 1, "a", false, false},
		[]any{20, 1, "id", false, false}, []any{20, 2, "n", false, false})
	readRows(t, c.readXMLIndex, []any{1, 5, "", ""}, []any{1, 6, "px", "PATH"})
	readRows(t, c.readForeignKey,
		[]any{50, 2, "FK__prices__id__1", true, "dbo", "kinds", 1, 2, false, false, false},
		[]any{51, 2, "FK_two", false, "dbo", "kinds", 3, 0, true, true, true})
	readRows(t, c.readMapping, []any{50, "id", "id"}, []any{51, "id", "id"})
	readRows(t, c.readCheck,
		[]any{1, "CK__kinds__2", true, "([c]>(0))", false, false, false},
		[]any{1, "CK_d", false, "([d]>'2000')", true, true, false})
	readRows(t, c.readComment, []any{1, 0, "all kinds"}, []any{1, 2, "a text"})
	readModules(t, c)
	return c
}

func readModules(t testing.TB, c *catalog) {
	readRows(t, c.readModule,
		[]any{20, "sales", "v", "V", 0, "", "CREATE VIEW old.v WITH SCHEMABINDING AS SELECT 1 AS id, 2 AS n", true, true, false},
		[]any{21, "dbo", "p", "P", 0, "", "CREATE PROC p AS SELECT \"x\"", false, true, false},
		[]any{22, "dbo", "secret", "FN", 0, "", "", true, true, false},
		[]any{23, "dbo", "tr", "TR", 1, "kinds", "CREATE TRIGGER tr ON oldkinds FOR INSERT AS SELECT 1", true, true, true})
	readRows(t, c.readDatabaseTrigger, []any{"ddl", "CREATE TRIGGER ddl ON DATABASE FOR CREATE_TABLE AS SELECT 1", true, true, true})
	readRows(t, c.readSequence,
		[]any{"dbo", "s", "decimal", "sys", false, 20, "1", "1", "1", "99", true, true, 0},
		[]any{"dbo", "s2", "Flag", "sales", true, 3, "1", "2", "0", "9", false, false, 0})
	readRows(t, c.readType,
		[]any{"sales", "Flag", "bit", 1, 1, 0, false, 0, false},
		[]any{"dbo", "pairs", "", -1, 0, 0, false, 9, false},
		[]any{"dbo", "clr", "", -1, 0, 0, false, 0, true})
	readRows(t, c.readSynonym, []any{"dbo", "others", "[other].[dbo].[t]"})
}

func TestWhatTheCatalogueSaysBecomesADefinition(t *testing.T) {
	def, err := sampleCatalog(t).definition()
	require.NoError(t, err)
	text, err := json.MarshalIndent(def, "", "\t")
	require.NoError(t, err)
	golden(t, "catalog.json", string(text)+"\n")
	s := build(t, def)
	assert.Equal(t, s.Version(), build(t, s.Definition()).Version())
	plan, err := Engine{}.Script(s)
	require.NoError(t, err)
	understood(t, plan)
	golden(t, "catalog.sql", planText(plan))
}

// BenchmarkDefinition joins the rows of 1,000 tables of 15 columns.
func BenchmarkDefinition(b *testing.B) {
	c := newCatalog()
	for i := 1; i <= 1000; i++ {
		readRows(b, c.readTable, tableValues(i, "dbo", fmt.Sprintf("table_%04d", i), nil))
		for j := 1; j <= 15; j++ {
			readRows(b, c.readColumn, col(i, j, fmt.Sprintf("column_%02d", j), "varchar", 10+j, 0, 0,
				attributes{"default": "DF", "unnamed": true, "text": "('x')"}))
		}
		readRows(b, c.readIndex, []any{i, 1, fmt.Sprintf("PK_%d", i), 1, true, true, false, false, "", 0, false, false, false, 0})
		readRows(b, c.readIndexKey, []any{i, 1, "column_01", false, false})
	}
	for b.Loop() {
		def, err := c.definition()
		require.NoError(b, err)
		require.Len(b, def.Tables, 1000)
	}
}

func TestTypesAreWrittenAsTheyAreRead(t *testing.T) {
	for _, tt := range []struct {
		in   typeName
		want string
	}{
		{typeName{name: "int", length: 4, precision: 10}, "int"},
		{typeName{name: "nvarchar", length: 40}, "nvarchar(20)"},
		{typeName{name: "varbinary", length: -1}, "varbinary(max)"},
		{typeName{name: "decimal", length: 9, precision: 18, scale: 0}, "decimal(18,0)"},
		{typeName{name: "time", length: 5, precision: 16, scale: 7}, "time(7)"},
		{typeName{name: "float", length: 8, precision: 53}, "float"},
		{typeName{name: "timestamp", length: 8}, "rowversion"},
		{typeName{name: "Flag", schema: "dbo", user: true, length: 1}, "[dbo].[Flag]"},
		{typeName{name: "json", length: -1}, "json"},
	} {
		var c designer.Column
		setType(&c, tt.in)
		assert.Equal(t, tt.want, typeText(c))
	}
}

// decimal(38) counts beyond 64 bits, and a server may tell nothing: neither
// becomes (1,1) in silence.
func TestAnIdentityIsKeptOrSaidToBeUnknown(t *testing.T) {
	for _, tt := range []struct{ name, seed, increment, written, note, refused string }{
		{"ordinary", "100", "5", "IDENTITY(100,5)", "", ""},
		{"from 0", "0", "-1", "IDENTITY(0,-1)", "", ""},
		{"beyond 64 bits", "12345678901234567890123456789012345678", "1", "IDENTITY(12345678901234567890123456789012345678,1)", "",
			"column id: no plan changes what an identity counts from and by where that is beyond 64 bits; change it by hand"},
		{"not told", "", "", "IDENTITY NOT NULL",
			"What column dbo.t.id counts from and by is not known, as the server does not tell it: it is made as IDENTITY, which is (1,1).",
			"column id: no plan changes what an identity counts from and by where that is not known: the server does not tell it; change it by hand"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCatalog()
			readRows(t, c.readTable, tableValues(1, "dbo", "t", nil))
			readRows(t, c.readColumn, col(1, 1, "id", "decimal", 17, 38, 0, attributes{"null": false, "identity": true}), col(1, 2, "n", "int", 4, 10, 0, nil))
			readRows(t, c.readIdentity, []any{1, 1, tt.seed, tt.increment, false})
			def, err := c.definition()
			require.NoError(t, err)
			s := build(t, def)
			plan, err := Engine{}.Script(s)
			require.NoError(t, err)
			understood(t, plan)
			assert.Contains(t, plan.Script(), tt.written)
			assert.Equal(t, tt.note, strings.Join(plan.Notes, "\n"))
			if tt.refused == "" {
				return
			}
			_, err = Engine{}.Plan(designer.DiffOf(s, change(t, s, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"id"},"set":{"identityIncrement":7}}]`)))
			var none *designer.PlanError
			require.ErrorAs(t, err, &none)
			assert.Equal(t, tt.refused, none.Message)
		})
	}
}

// tableValues is a row of the tables' query.
func tableValues(object int, schema, name string, more map[string]any) []any {
	get := func(key string, otherwise any) any {
		if v, given := more[key]; given {
			return v
		}
		return otherwise
	}
	return []any{object, schema, name, get("temporal", 0), get("history", ""), get("memory", false), get("file", false), get("external", false)}
}
