package db

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// untimed takes the elapsed time out of a reply.
func untimed(t *testing.T, text string) string {
	t.Helper()
	i := strings.LastIndex(text, `,"elapsedMs":`)
	require.Positive(t, i, text)
	return text[:i] + "}"
}

func TestRunQueryRepliesWithColumnsAndRows(t *testing.T) {
	c := project(t, shop, settings{})
	for _, tt := range []struct{ name, query, want string }{
		{"declared types and the stored ones of expressions",
			"SELECT id, name, length(name) AS n, NULL AS none FROM customers ORDER BY id",
			`{"columns":[{"name":"id","type":"INTEGER"},{"name":"name","type":"TEXT"},{"name":"n","type":"INTEGER"},{"name":"none","type":""}],"rows":[[1,"Ada",3,null],[2,"Grace",5,null]],"rowCount":2,"truncated":false}`},
		{"names that come twice are kept", "SELECT a.id, b.id FROM customers a JOIN customers b ON b.id = a.id LIMIT 1",
			`{"columns":[{"name":"id","type":"INTEGER"},{"name":"id","type":"INTEGER"}],"rows":[[1,1]],"rowCount":1,"truncated":false}`},
		{"integers that JSON would round are strings", "SELECT 9007199254740992, 9007199254740993, -9223372036854775808",
			`"rows":[[9007199254740992,"9007199254740993","-9223372036854775808"]]`},
		{"reals keep their fraction and all their digits", "SELECT 1.0, 0.1, 1e300, 123456789.125, 1e999, -1e999",
			`"rows":[[1.0,0.1,1e+300,123456789.125,"Infinity","-Infinity"]]`},
		{"blobs are base64", "SELECT x'00ff', x''", `"rows":[[{"$base64":"AP8="},{"$base64":""}]]`},
		{"text that is not UTF-8 is base64", "SELECT CAST(x'ff41' AS TEXT)", `"rows":[[{"$base64":"/0E="}]]`},
		{"no rows", "SELECT id FROM customers WHERE 0", `{"columns":[{"name":"id","type":"INTEGER"}],"rows":[],"rowCount":0,"truncated":false}`},
		{"a trailing semicolon and comments", "/* a */ SELECT 1 -- b\n ; ", `"rows":[[1]]`},
		{"VALUES", "VALUES (1), (2)", `"rows":[[1],[2]]`},
		{"a common table", "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 3) SELECT x FROM c", `"rows":[[1],[2],[3]]`},
		{"EXPLAIN QUERY PLAN", "EXPLAIN QUERY PLAN SELECT * FROM orders WHERE customer_id = 1", "orders_customer"},
		{"a pragma that tells", "PRAGMA table_info('orders')", `"customer_id"`},
		{"a pragma as a table", "SELECT count(*) FROM pragma_table_info('orders')", `"rows":[[3]]`},
		{"full-text search", "SELECT count(*) FROM search WHERE search MATCH 'x'", `"rows":[[0]]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ask(t, c, tt.query)
			require.False(t, r.IsError, r.Content)
			assert.Contains(t, untimed(t, r.Content[0]), tt.want)
			assert.True(t, json.Valid([]byte(r.Content[0])))
		})
	}
}

func TestRowsAreMarkedAsData(t *testing.T) {
	c := project(t, shop, settings{})
	assert.Equal(t, []string{rowset.Untrusted}, ask(t, c, "SELECT 1").Content[1:])
	assert.Empty(t, ask(t, c, "SELECT 1 WHERE 0").Content[1:], "no rows, nothing to say")
}

func TestHiddenCharactersDoNotReachTheReader(t *testing.T) {
	c := project(t, shop, settings{})
	r := ask(t, c, "SELECT 'a'||char(0)||char(27)||'[31m'||char(8238)||char(917569)||char(9)||'é👩\u200d🚀' AS \"x\u2066y\"")
	assert.Contains(t, r.Content[0], `{"columns":[{"name":"xy","type":"TEXT"}],"rows":[["a[31m\té👩`+"\u200d"+`🚀"]]`)
	assert.Equal(t, rowset.Untrusted+"\n5 control, direction or invisible characters are left out.", r.Content[1])
}

func TestRepliesAreLimitedInRowsAndBytes(t *testing.T) {
	const numbers = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x%s FROM c LIMIT %d"
	c := project(t, shop, settings{})
	r := ask(t, c, fmt.Sprintf(numbers, "", 200))
	assert.Contains(t, r.Content[0], `"rowCount":200,"truncated":false`, "exactly the limit is all")
	r = ask(t, c, fmt.Sprintf(numbers, "", 201))
	assert.Contains(t, r.Content[0], `"rowCount":200,"truncated":true`)
	assert.Contains(t, r.Content[1], "the limit of 200 rows")

	r = ask(t, c, fmt.Sprintf(numbers, ", printf('%1000d', x)", 200))
	assert.LessOrEqual(t, len(r.Content[0]), 64<<10)
	assert.Contains(t, r.Content[0], `"truncated":true`)
	assert.Contains(t, r.Content[1], "the limit of 24576 bytes")

	few := connections(t, c.Root(), settings{MaxRows: 10, Connections: []pool.Config{{Name: "main", Path: "app.db", MaxRows: 3}}})
	assert.Contains(t, ask(t, few, fmt.Sprintf(numbers, "", 9)).Content[0], `"rowCount":3,"truncated":true`)
}

func TestLongValuesAreCutAndSaySo(t *testing.T) {
	c := project(t, shop, settings{})
	r := ask(t, c, "SELECT printf('%.*c', 20000, 'é'), zeroblob(5000)")
	require.False(t, r.IsError)
	var reply struct {
		Rows [][]struct {
			Text   string `json:"$text"`
			Base64 string `json:"$base64"`
			Bytes  int    `json:"$bytes"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &reply))
	assert.Equal(t, strings.Repeat("é", rowset.MaxText/2), reply.Rows[0][0].Text)
	assert.Equal(t, 40000, reply.Rows[0][0].Bytes)
	assert.Len(t, reply.Rows[0][1].Base64, (rowset.MaxBlob+2)/3*4)
	assert.Equal(t, 5000, reply.Rows[0][1].Bytes)
	assert.Contains(t, r.Content[1], "2 long values are cut")

	wide := "SELECT " + strings.TrimSuffix(strings.Repeat("printf('%9000d', 1),", 100), ",")
	r = ask(t, c, wide)
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `"rowCount":1`, "the first row is cut until it fits")
	assert.LessOrEqual(t, len(r.Content[0]), 64<<10)

	r = ask(t, c, "SELECT "+strings.TrimSuffix(strings.Repeat("1 AS "+strings.Repeat("n", 190)+",", 400), ","))
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], "the result's 400 columns alone exceed the limit")
}

func TestWhatSQLiteSaysReachesTheCaller(t *testing.T) {
	c := project(t, shop, settings{})
	for query, want := range map[string]string{
		"SELECT * FROM custmers":           "SQLite: no such table: custmers",
		"SELECT FROM":                      `SQLite: near "FROM": syntax error`,
		"SELECT nosuchfunction(1)":         "SQLite: no such function: nosuchfunction",
		"SELECT zeroblob(100000000)":       "SQLite: a value is longer than 4 MiB, which is the limit here; leave its column out",
		"SELECT abs(-9223372036854775808)": "SQLite: integer overflow",
	} {
		r := ask(t, c, query)
		assert.True(t, r.IsError)
		assert.Equal(t, want, r.Content[0])
		assert.Equal(t, query == "SELECT * FROM custmers", len(r.Content) > 1, "%v", r.Content)
	}
}

// A query names no table or column that is not there more than once: its
// refusal has the names that are.
func TestAMissingTableOrColumnIsFollowedByWhatThereIs(t *testing.T) {
	for name, c := range map[string]testProject{
		"sqlite":     project(t, shop, settings{}),
		"postgresql": postgresServed(t, "CREATE TABLE customers (id int)").connect(t, settings{}),
		"mysql":      mysqlServed(t, "CREATE TABLE customers (id int)").connect(t, settings{}),
	} {
		r := ask(t, c, "SELECT * FROM custmers")
		require.Len(t, r.Content, 2, name)
		assert.Contains(t, r.Content[1], "the nearest tables are: customers", name)
		r = ask(t, c, "SELECT idd FROM customers")
		require.Len(t, r.Content, 2, name)
		assert.Contains(t, r.Content[1], "get-schema shows a table's columns", name)
		r = c.call(t.Context(), "explain-query", args(map[string]any{"query": "SELECT * FROM custmers"}))
		assert.Contains(t, r.Content[len(r.Content)-1], "the nearest tables are: customers", name)
	}
}

func TestTheRESTRouteReturnsObjects(t *testing.T) {
	c := project(t, shop, settings{})
	rows, err := c.Query(t.Context(), "SELECT id, name, id FROM customers ORDER BY 1")
	require.NoError(t, err)
	assert.JSONEq(t, `[{"id":1,"name":"Ada","id_2":1},{"id":2,"name":"Grace","id_2":2}]`, encodeJSON(rows))
	_, err = c.Query(t.Context(), "DELETE FROM customers")
	assert.ErrorContains(t, err, "run-query reads only")
	names, err := c.Tables(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"customers", "orders", "search"}, names)
	text, err := c.TableSchema(t.Context(), "customers")
	require.NoError(t, err)
	assert.Equal(t, "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", text)
	kind, err := c.DatabaseType(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "sqlite", kind)
}
