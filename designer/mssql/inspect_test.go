package mssql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
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
		tableValues(3, "sales", "fast", attributes{"memory": true}),
		tableValues(4, "sales", "docs", nil))
	readRows(t, c.readColumn,
		col(1, 1, "id", "bigint", 8, 19, 0, attributes{"null": false, "identity": true}),
		col(1, 2, "a", "nvarchar", 80, 0, 0, attributes{"collation": "Latin1_General_CI_AS", "default": "DF__kinds__a__1", "unnamed": true, "text": "(N'x')"}),
		col(1, 3, "b", "varchar", -1, 0, 0, attributes{"collation": "Latin1_General_BIN2", "default": "DF_b", "text": "((0))", "masked": true}),
		col(1, 4, "c", "decimal", 9, 12, 3, nil),
		col(1, 5, "d", "datetime2", 7, 23, 3, nil),
		col(1, 6, "e", "timestamp", 8, 0, 0, attributes{"null": false}),
		col(1, 7, "f", "Flag", 1, 1, 0, attributes{"schema": "sales", "user": true}),
		col(1, 8, "g", "int", 4, 10, 0, attributes{"computed": true, "formula": "([c]*(2))", "persisted": true, "null": false}),
		col(1, 9, "h", "xml", -1, 0, 0, attributes{"xml": "[dbo].[docs]"}),
		col(1, 10, "i", "vector", 1544, 0, 0, nil),
		col(1, 11, "j", "sysname", 256, 0, 0, attributes{"null": false, "collation": "Latin1_General_CI_AS"}),
		col(1, 12, "k", "float", 8, 53, 0, nil),
		col(2, 1, "id", "bigint", 8, 19, 0, attributes{"null": false}),
		col(2, 2, "from", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 1, "hidden": true}),
		col(2, 3, "to", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 2, "hidden": true}),
		col(3, 1, "id", "int", 4, 10, 0, attributes{"null": false}),
		col(4, 1, "id", "int", 4, 10, 0, attributes{"null": false}),
		col(4, 2, "h", "xml", -1, 0, 0, attributes{"xml": "[dbo].[docs]"}),
		col(4, 3, "c", "decimal", 9, 12, 3, attributes{"sparse": true}),
		col(4, 4, "kind", "bigint", 8, 19, 0, nil),
		col(4, 5, "price", "bigint", 8, 19, 0, nil),
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
		[]any{4, 1, "PK_docs", 1, true, true, false, false, "", 0, false, false, false, 0},
		[]any{4, 5, "px", 3, false, false, false, false, "", 0, false, false, false, 0},
		[]any{4, 6, "sx", 3, false, false, false, false, "", 0, false, false, false, 0},
		[]any{2, 1, "PK_prices", 1, true, true, false, false, "", 0, false, false, false, 0},
		[]any{3, 1, "ccs", 5, false, false, false, false, "", 0, false, false, false, 3},
		[]any{9, 1, "PK__pairs__1", 1, true, true, false, true, "", 0, false, false, false, 0},
		[]any{20, 1, "cx", 1, true, false, false, false, "", 0, false, false, false, 0},
		[]any{20, 2, "more", 2, false, false, false, false, "", 0, false, false, false, 0})
	readRows(t, c.readIndexKey,
		[]any{1, 2, "id", true, false}, []any{1, 3, "a", false, false},
		[]any{1, 4, "c", true, false}, []any{1, 4, "d", false, true}, []any{4, 1, "id", false, false}, []any{4, 5, "h", false, false}, []any{4, 6, "h", false, false},
		[]any{2, 1, "id", false, false}, []any{3, 1, "id", false, true}, []any{9, 1, "a", false, false},
		[]any{20, 1, "id", false, false}, []any{20, 2, "j", false, false})
	readRows(t, c.readXMLIndex, []any{4, 5, "", ""}, []any{4, 6, "px", "PATH"})
	readRows(t, c.readForeignKey,
		[]any{50, 4, "FK__docs__kind__1", true, "dbo", "kinds", 1, 2, false, false, false},
		[]any{51, 4, "FK_two", false, "sales", "prices", 3, 0, true, true, true})
	readRows(t, c.readMapping, []any{50, "kind", "id"}, []any{51, "price", "id"})
	readRows(t, c.readCheck,
		[]any{1, "CK__kinds__2", true, "([c]>(0))", false, false, false},
		[]any{1, "CK_d", false, "([d]>'2000')", true, true, false})
	readRows(t, c.readComment, []any{1, 0, "all kinds"}, []any{1, 2, "a text"})
	readModules(t, c)
	return c
}

func readModules(t testing.TB, c *catalog) {
	readRows(t, c.readModule,
		[]any{20, "sales", "v", "V", 0, "", "CREATE VIEW old.v WITH SCHEMABINDING AS SELECT id, j FROM dbo.kinds", true, true, false},
		[]any{21, "dbo", "p", "P", 0, "", "CREATE PROC p AS SELECT \"x\"", false, true, false},
		[]any{22, "dbo", "secret", "FN", 0, "", "", true, true, false},
		[]any{23, "dbo", "tr", "TR", 1, "kinds", "CREATE TRIGGER tr ON oldkinds FOR INSERT AS SELECT 1", true, true, true})
	readRows(t, c.readDatabaseTrigger, []any{30, "ddl", "CREATE TRIGGER ddl ON DATABASE FOR CREATE_TABLE AS SELECT 1", true, true, true})
	readRows(t, c.readSequence,
		[]any{"dbo", "s", "decimal", "sys", false, 20, "1", "1", "1", "99", true, true, 0},
		[]any{"dbo", "s2", "Count", "sales", true, 10, "1", "2", "0", "9", false, false, 0})
	readRows(t, c.readType,
		[]any{"sales", "Count", "int", 4, 10, 0, false, 0, false},
		[]any{"sales", "Flag", "bit", 1, 1, 0, false, 0, false},
		[]any{"dbo", "pairs", "", -1, 0, 0, false, 9, false},
		[]any{"dbo", "clr", "", -1, 0, 0, false, 0, true})
	readRows(t, c.readXMLSchema, []any{"dbo", "docs", "<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><xsd:element name=\"it's\"/></xsd:schema>"}, []any{"dbo", "hidden", ""})
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
	assert.NotContains(t, planText(plan), "The server refuses", "the fixture is a database that there could be")
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

// kindsOfTables has a table of each kind that the server keeps apart.
func kindsOfTables(t *testing.T) *designer.Schema {
	c := newCatalog()
	names := []string{"", "node", "edge", "ledger", "kept", "parted", "secret", "heaped"}
	for i, name := range names[1:] {
		more := attributes{}
		if name == "kept" {
			more = attributes{"temporal": 2, "history": "[dbo].[kept_history]"}
		}
		readRows(t, c.readTable, tableValues(i+1, "dbo", name, more))
		readRows(t, c.readColumn, col(i+1, 1, "id", "int", 4, 10, 0, attributes{"null": false}), col(i+1, 2, "doc", "xml", -1, 0, 0, nil),
			col(i+1, 3, "n", "int", 4, 10, 0, nil))
		if name == "kept" {
			readRows(t, c.readColumn, col(i+1, 4, "since", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 1}),
				col(i+1, 5, "till", "datetime2", 8, 27, 7, attributes{"null": false, "generated": 2}))
		}
		if name != "heaped" {
			readRows(t, c.readIndex, []any{i + 1, 1, "PK_" + name, 1, true, true, false, false, "", 0, false, false, false, 0})
			readRows(t, c.readIndexKey, []any{i + 1, 1, "id", false, false})
		}
	}
	readRows(t, c.readIndex, []any{5, 2, "IX_parted", 2, false, false, false, false, "", 0, false, false, false, 0})
	readRows(t, c.readIndexKey, []any{5, 2, "n", false, false})
	readRows(t, c.readKind, []any{1, 1, 0, 0, ""}, []any{2, 0, 1, 0, ""}, []any{3, 0, 0, 2, ""}, []any{4, 0, 0, 0, "6 MONTH"})
	readRows(t, c.readPlace, []any{5, 1, "[by_month]"}, []any{5, 2, "[by_month]"}, []any{7, 0, "[slow]"})
	readRows(t, c.readEncrypted, []any{6, 3, 2})
	readRows(t, c.readModule, []any{40, "dbo", "tr", "TR", 7, "heaped", "CREATE TRIGGER tr ON dbo.heaped FOR INSERT AS SELECT 1", true, true, false})
	readRows(t, c.readTriggerOrder, []any{40, "INSERT", true}, []any{41, "CREATE_TABLE", false})
	readRows(t, c.readDatabaseTrigger, []any{41, "ddl", "CREATE TRIGGER ddl ON DATABASE FOR CREATE_TABLE AS SELECT 1", true, true, false})
	def, err := c.definition()
	require.NoError(t, err)
	return build(t, def)
}

// What no plan can do to a table of its kind is refused in words, and what a
// script makes otherwise is noted.
func TestKindsOfTablesAreRecognised(t *testing.T) {
	s := kindsOfTables(t)
	plan, err := Engine{}.Script(s)
	require.NoError(t, err)
	understood(t, plan)
	golden(t, "kinds.sql", planText(plan))
	set := func(table, column, what string) string {
		return `[{"op":"set_column","table":{"name":"` + table + `"},"column":{"name":"` + column + `"},"set":{` + what + `}}]`
	}
	const off = ": set SYSTEM_VERSIONING = OFF by hand, change both tables and set it ON again"
	const placed = " and would have to be re-created, which no plan does there; change it by hand"
	for _, tt := range []struct{ edits, refused string }{
		{set("node", "n", `"dataType":"bigint"`), "it is a graph node table, which no plan changes; change it by hand"},
		{set("edge", "n", `"name":"m"`), "it is a graph edge table, which no plan changes; change it by hand"},
		{`[{"op":"drop_column","table":{"name":"ledger"},"column":{"name":"n"}}]`, "it is a ledger table, which no plan changes; change it by hand"},
		{`[{"op":"drop_table","table":{"name":"ledger"}}]`, "it is a ledger table, which the server keeps under another name where it is dropped; drop it by hand"},
		{`[{"op":"drop_table","table":{"name":"node"}}]`, ""},
		{set("secret", "n", `"dataType":"bigint"`), "column n is encrypted (Always Encrypted), and only a client with its key can change it"},
		{set("secret", "id", `"isIdentity":true`), "column n is encrypted (Always Encrypted), and only a client with its key can change it"},
		{`[{"op":"add_column","table":{"name":"secret"},"column":{"name":"x","dataType":"int"}}]`, ""},
		{set("kept", "doc", `"dataType":"nvarchar(max)"`), "column doc cannot be re-created: the table keeps a history, whose values of it would be lost" + off},
		{set("kept", "id", `"isPrimaryKey":false`), "it keeps a history, and is never without its primary key" + off},
		{set("kept", "id", `"dataType":"bigint"`), "it keeps a history, and is never without its primary key" + off},
		{`[{"op":"drop_column","table":{"name":"kept"},"column":{"name":"till"}}]`, "column till is of the period of its history, and stays as it is" + off},
		{`[{"op":"add_column","table":{"name":"kept"},"column":{"name":"x","isComputed":true,"computedFormula":"1"}}]`,
			"column x is computed, an identity or ROWGUIDCOL, which is not added to a table that keeps a history" + off},
		{`[{"op":"add_column","table":{"name":"kept"},"column":{"name":"x","dataType":"int","isIdentity":true,"isNullable":false}}]`,
			"column x is computed, an identity or ROWGUIDCOL, which is not added to a table that keeps a history" + off},
		{set("kept", "n", `"dataType":"bigint"`), ""},
		{set("parted", "id", `"isIdentity":true`), "the table lies on [by_month]" + placed},
		{set("parted", "id", `"dataType":"bigint"`), "its primary key lies on [by_month]" + placed},
		{set("parted", "n", `"dataType":"bigint"`), "index IX_parted lies on [by_month]" + placed},
		{`[{"op":"drop_index","table":{"name":"parted"},"index":{"name":"IX_parted"}}]`, ""},
		{set("heaped", "id", `"isIdentity":true`), "the table lies on [slow]" + placed},
	} {
		_, err := Engine{}.Plan(designer.DiffOf(s, change(t, s, tt.edits)))
		if tt.refused == "" {
			assert.NoError(t, err, tt.edits)
			continue
		}
		var none *designer.PlanError
		if assert.ErrorAs(t, err, &none, tt.edits) {
			assert.Equal(t, tt.refused, none.Message, tt.edits)
		}
	}
	plan, err = Engine{}.Plan(designer.DiffOf(s, change(t, s, `[{"op":"drop_column","table":{"name":"kept"},"column":{"name":"n"}}]`)))
	require.NoError(t, err)
	assert.Contains(t, plan.Notes, "Column dbo.kept.n is dropped from the history [dbo].[kept_history] as well.")
	assert.Contains(t, plan.Risks(), designer.RiskDataLoss)
}

// A server is asked only for the columns of its catalogue that it has.
func TestOlderCataloguesAreAskedForWhatTheyHave(t *testing.T) {
	old := kindQuery(map[string]bool{"tables.is_node": true})
	assert.Contains(t, old, "t.is_node")
	assert.NotContains(t, old, "is_edge")
	assert.NotContains(t, old, "ledger_type")
	assert.NotContains(t, old, "history_retention")
}

// crankyServer answers the catalogue's queries for two tables and a view, of
// which it cannot describe one, as Babelfish cannot some formulas.
type crankyServer struct {
	failing string // what the query for it has
	object  int    // what it fails for
	asked   int
}

type serverError string

func (e serverError) Error() string         { return string(e) }
func (e serverError) SQLErrorNumber() int32 { return 33557097 }

func (s *crankyServer) Connect(context.Context) (driver.Conn, error) { return s, nil }
func (s *crankyServer) Driver() driver.Driver                        { return nil }
func (s *crankyServer) Prepare(string) (driver.Stmt, error)          { return nil, driver.ErrSkip }
func (s *crankyServer) Close() error                                 { return nil }
func (s *crankyServer) Begin() (driver.Tx, error)                    { return nil, driver.ErrSkip }

func (s *crankyServer) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	s.asked++
	asks := regexp.MustCompile(`_id IN \(([0-9, ]+)\)`).FindStringSubmatch(query)
	wanted := func(object int) bool {
		return asks == nil || slices.Contains(strings.Split(asks[1], ", "), strconv.Itoa(object))
	}
	if strings.Contains(query, s.failing) && wanted(s.object) {
		return nil, serverError("unrecognized node type: 36")
	}
	answer := &answered{}
	say := func(object int, values ...any) {
		if wanted(object) {
			row := make([]driver.Value, len(values))
			for i, v := range values {
				row[i] = v
				if n, is := v.(int); is {
					row[i] = int64(n)
				}
			}
			answer.rows = append(answer.rows, row)
		}
	}
	switch query {
	case objectQuery:
		say(1, 1, "dbo", "a", "U")
		say(2, 2, "dbo", "b", "U")
		say(3, 3, "dbo", "v", "V")
	case tableQuery:
		say(1, tableValues(1, "dbo", "a", nil)...)
		say(2, tableValues(2, "dbo", "b", nil)...)
	default:
		switch {
		case strings.Contains(query, "FROM sys.columns c\nJOIN"):
			say(1, col(1, 1, "id", "int", 4, 10, 0, nil)...)
			say(2, col(2, 1, "id", "int", 4, 10, 0, nil)...)
		case query == moduleQuery || asks != nil && strings.Contains(query, "FROM sys.objects o\nLEFT JOIN sys.sql_modules"):
			say(3, 3, "dbo", "v", "V", 0, "", "CREATE VIEW dbo.v AS SELECT 1 AS x", true, true, false)
		}
	}
	return answer, nil
}

type answered struct{ rows [][]driver.Value }

func (a *answered) Columns() []string {
	if len(a.rows) == 0 {
		return nil
	}
	return make([]string, len(a.rows[0]))
}

func (a *answered) Close() error { return nil }

func (a *answered) Next(to []driver.Value) error {
	if len(a.rows) == 0 {
		return io.EOF
	}
	copy(to, a.rows[0])
	a.rows = a.rows[1:]
	return nil
}

// One object that the server cannot describe is named and left out; it does not
// close the database.
func TestWhatTheServerCannotDescribeIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		name, failing string
		object        int
		tables        []string
		views         []string
		note          string
	}{
		{"nothing", "no query", 0, []string{"a", "b"}, []string{"v"}, ""},
		{"a table's columns", "FROM sys.columns c\nJOIN", 2, []string{"a"}, []string{"b", "v"},
			"Table dbo.b is left out, as the server could not describe it: unrecognized node type: 36"},
		{"a table's checks", "sys.check_constraints", 1, []string{"b"}, []string{"a", "v"},
			"Table dbo.a is left out, as the server could not describe it: unrecognized node type: 36"},
		{"a view", "FROM sys.objects o\nLEFT JOIN sys.sql_modules", 3, []string{"a", "b"}, []string{"v"},
			"View dbo.v is left out, as the server could not describe it: unrecognized node type: 36"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := sql.OpenDB(&crankyServer{failing: tt.failing, object: tt.object})
			t.Cleanup(func() { assert.NoError(t, db.Close()) })
			def, err := Inspect(t.Context(), db)
			require.NoError(t, err)
			s := build(t, def)
			var tables, views []string
			for _, table := range s.Tables() {
				tables = append(tables, table.Name)
			}
			for _, v := range s.Views() {
				views = append(views, v.Name)
			}
			assert.Equal(t, tt.tables, tables)
			assert.ElementsMatch(t, tt.views, views)
			plan, err := Engine{}.Script(s)
			require.NoError(t, err)
			assert.Equal(t, tt.note, strings.Join(plan.Notes, "\n"))
		})
	}
	db := sql.OpenDB(&crankyServer{failing: "FROM sys.schemas"})
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	_, err := Inspect(t.Context(), db)
	assert.ErrorContains(t, err, "read schemas of the schema: unrecognized node type: 36", "which no object is to blame for")
}
