package db

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
)

const exploredShop = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total REAL DEFAULT 0);
CREATE INDEX ix_total ON orders (total DESC) WHERE total > 10;
CREATE VIEW order_view AS SELECT * FROM orders;
INSERT INTO customers (name) VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f')`

func TestAPlanIsShownAndNothingRuns(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", exploredShop)
	c := connections(t, root, settings{})
	explain := func(arguments string) []string { return c.call(t.Context(), "explain-query", arguments).Content }
	got := explain(`{"query":"SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id WHERE total > 10;"}`)
	assert.Contains(t, got[0], "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)")
	assert.Contains(t, got[1], "untrusted content")
	var steps []planStep
	require.NoError(t, json.Unmarshal([]byte(explain(`{"query":"SELECT (SELECT max(id) FROM orders)","format":"json"}`)[0]), &steps))
	assert.NotEmpty(t, steps)
	for arguments, want := range map[string]string{
		`{"query":"DELETE FROM orders"}`:                     "refused (reads only)",
		`{"query":"SELECT 1; SELECT 2"}`:                     "refused (one statement)",
		`{"query":"EXPLAIN SELECT 1"}`:                       "takes the query itself",
		`{"query":"PRAGMA user_version"}`:                    "takes the query itself",
		`{"query":"SELECT 1","format":"xml"}`:                "must be text or json",
		`{"query":"SELECT * FROM nope"}`:                     "no such table: nope",
		`{"query":"SELECT 1","analyze":true}`:                "unknown argument",
		`{"query":"SELECT load_extension('x') FROM orders"}`: "refused (function)",
	} {
		r := c.call(t.Context(), "explain-query", arguments)
		assert.True(t, r.IsError, arguments)
		assert.Contains(t, r.Content[0], want, arguments)
	}
}

func TestPlansOfPostgresHaveNoAnalyze(t *testing.T) {
	t.Parallel()
	s := postgresServed(t, "CREATE TABLE t (a int); CREATE SEQUENCE s")
	c := s.connect(t, settings{})
	r := c.call(t.Context(), "explain-query", `{"query":"SELECT * FROM t WHERE a = 1"}`)
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], "Seq Scan on t")
	assert.NotContains(t, r.Content[0], "actual time")
	r = c.call(t.Context(), "explain-query", `{"query":"SELECT * FROM t","format":"json"}`)
	var plan []map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &plan), r.Content)
	assert.True(t, c.call(t.Context(), "explain-query", `{"query":"SELECT nextval('s')"}`).IsError)
}

func TestASampleIsTheFirstRowsOfATable(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", exploredShop+"; CREATE TABLE \"od.d \"\"name\" (x); INSERT INTO \"od.d \"\"name\" VALUES (7)")
	c := connections(t, root, settings{})
	for arguments, want := range map[string]string{
		`{"table":"customers"}`:               `"rows":[[1,"a",null],[2,"b",null],[3,"c",null],[4,"d",null],[5,"e",null]],"rowCount":5,"truncated":false`,
		`{"table":"MAIN.Customers","rows":1}`: `"rows":[[1,"a",null]],"rowCount":1`,
		`{"table":"od.d \"name"}`:             `"rows":[[7]]`,
		`{"table":"order_view"}`:              `"rowCount":0`,
		`{"table":"custmers"}`:                `no table is named "custmers"; the nearest are: customers`,
		`{"table":"customers","rows":51}`:     "must be from 1 to 50",
		`{"table":"customers","rows":1.5}`:    "must be a whole number",
		`{"table":"x; DROP TABLE customers"}`: "no table is named",
	} {
		r := c.call(t.Context(), "sample-table", arguments)
		assert.Contains(t, r.Content[0], want, arguments)
	}
}

func TestASampleOfPostgresFindsSchemasAndDots(t *testing.T) {
	t.Parallel()
	s := postgresServed(t, `CREATE SCHEMA "a.b"; CREATE TABLE "a.b".t (x int); INSERT INTO "a.b".t VALUES (1);
CREATE TABLE "c.d" (x int); INSERT INTO "c.d" VALUES (2); CREATE SCHEMA sales; CREATE TABLE sales.orders (x int); INSERT INTO sales.orders VALUES (3)`)
	c := s.connect(t, settings{})
	for table, want := range map[string]string{"a.b.t": "[[1]]", "c.d": "[[2]]", "sales.orders": "[[3]]", "SALES.ORDERS": "[[3]]", "public.c.d": "[[2]]"} {
		r := c.call(t.Context(), "sample-table", fmt.Sprintf(`{"table":%q}`, table))
		assert.Contains(t, r.Content[0], `"rows":`+want, table)
	}
}

func TestTheSchemaIsSearchedInThreeLevelsOfDetail(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", exploredShop)
	c := connections(t, root, settings{})
	for _, tt := range []struct{ arguments, want string }{
		{`{"pattern":"order"}`, `[{"table":"orders"},{"view":"order_view"}]`},
		{`{"pattern":"*id"}`, `[{"table":"customers","columns":["id"]},{"table":"orders","columns":["id","customer_id"]}]`},
		{`{"pattern":"orders.*_id"}`, `[{"table":"orders","columns":["customer_id"]}]`},
		{`{"pattern":"orders","detail":"columns"}`, `[{"table":"orders","columns":["id integer","customer_id integer","total real"]}]`},
		{`{"pattern":"nothing"}`, `[]`},
	} {
		r := c.call(t.Context(), "search-schema", tt.arguments)
		require.False(t, r.IsError, r.Content)
		assert.JSONEq(t, strings.ToLower(tt.want), strings.ToLower(r.Content[0]), tt.arguments)
	}
	r := c.call(t.Context(), "search-schema", `{"pattern":"orders","detail":"full"}`)
	assert.Contains(t, r.Content[0], `"primaryKey":["id"],"foreignKeys":["(customer_id) references customers (id)"]`)
	assert.Contains(t, r.Content[0], `ix_total (total desc) where total \u003e 10`)
	assert.True(t, c.call(t.Context(), "search-schema", `{"pattern":"x","detail":"all"}`).IsError)
}

func TestASearchIsBoundedAndSaysSo(t *testing.T) {
	root := t.TempDir()
	var script strings.Builder
	for i := range 700 {
		fmt.Fprintf(&script, "CREATE TABLE quite_a_long_table_name_%d (some_column INTEGER, other_column TEXT);", i)
	}
	dbtest.SQLite(t, root, "app.db", "BEGIN;"+script.String()+"COMMIT")
	r := connections(t, root, settings{}).call(t.Context(), "search-schema", `{"pattern":"long","detail":"columns"}`)
	assert.LessOrEqual(t, len(r.Content[0]), maxSearchBytes+2)
	assert.Contains(t, r.Content[1], "of 700 that match are listed; narrow the pattern")
	assert.True(t, json.Valid([]byte(r.Content[0])))
}
