package db

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
)

// settings are all that a project's settings say of its databases.
type settings struct {
	Connections []pool.Config
	Default     string
	Notes       []string
	NoDiscovery bool
	MaxRows     int
	MaxBytes    int
	MaxFile     int64
	Timeout     time.Duration
	Logger      *slog.Logger

	DesignerOpen func() bool
	Copies       string
}

// testProject is a project's databases, to be asked in any way there is.
type testProject struct {
	*Tools
	*pool.Connections
	*source.Sources
}

// project makes a project with one database, app.db.
func project(t testing.TB, script string, opts settings) testProject {
	t.Helper()
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", script)
	return connections(t, root, opts)
}

func connections(t testing.TB, root string, opts settings) testProject {
	t.Helper()
	c, err := pool.New(root, pool.Options{Connections: opts.Connections, Default: opts.Default, Notes: opts.Notes, NoDiscovery: opts.NoDiscovery,
		Timeout: opts.Timeout, Logger: opts.Logger})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	tools, err := New(c, Options{MaxRows: opts.MaxRows, MaxBytes: opts.MaxBytes, MaxFile: opts.MaxFile, Logger: opts.Logger, DesignerOpen: opts.DesignerOpen})
	require.NoError(t, err)
	return testProject{tools, c, source.New(c, source.Options{Copies: opts.Copies, Logger: opts.Logger})}
}

// call runs a tool with arguments given as JSON.
func (p testProject) call(ctx context.Context, tool, arguments string) tools.Reply {
	return p.Handlers()[tool](ctx, tools.Call{Tool: tool, Arguments: json.RawMessage(arguments)})
}

func args(values map[string]any) string {
	values["projectRoot"] = "/project"
	return encodeJSON(values)
}

// query runs run-query and returns its reply.
func ask(t testing.TB, c testProject, query string) tools.Reply {
	t.Helper()
	return c.call(t.Context(), "run-query", args(map[string]any{"query": query}))
}

const shop = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total DECIMAL(10,2));
CREATE INDEX orders_customer ON orders (customer_id);
CREATE VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;
CREATE VIRTUAL TABLE search USING fts5(body);
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace');
INSERT INTO orders VALUES (1, 1, 9.5), (2, 1, 20), (3, 2, 7.25);`

func TestGetTablesListsNames(t *testing.T) {
	c := project(t, shop, settings{})
	for _, tt := range []struct {
		name, arguments string
		want            []string
	}{
		{"tables only by default, without the shadows of virtual ones", `{"projectRoot":"/p"}`, []string{`["customers","orders","search"]`}},
		{"views where asked, and named as such", `{"includeViews":true}`, []string{`["customers","orders","search","totals"]`, `Views: ["totals"]`}},
		{"a pattern with wildcards", `{"pattern":"?U*S"}`, []string{`["customers"]`}},
		{"a pattern without is looked for anywhere", `{"pattern":"ORD"}`, []string{`["orders"]`}},
		{"the connection by name", `{"connection":"APP.db","pattern":"orders"}`, []string{`["orders"]`}},
		{"no match says how patterns work", `{"pattern":"zzz"}`, []string{`[]`, "No name matches the pattern; * and ? are wildcards, and a word without them is looked for anywhere in a name."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := c.call(t.Context(), "get-tables", tt.arguments)
			assert.Equal(t, tools.Reply{Content: tt.want}, r)
		})
	}
}

func TestGetTablesIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxTables + 5 {
		b.WriteString("CREATE TABLE table_" + strings.Repeat("x", i%7) + encodeJSON(i) + " (a);\n")
	}
	r := project(t, "BEGIN;"+b.String()+"COMMIT", settings{}).call(t.Context(), "get-tables", "{}")
	var names []string
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &names))
	assert.Len(t, names, maxTables)
	assert.Equal(t, "1000 of 1005 names are listed; narrow the list with the argument pattern.", r.Content[1])
}

func TestGetSchemaIsTheTextWithTheIndexes(t *testing.T) {
	c := project(t, shop, settings{})
	orders := "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total DECIMAL(10,2));\n" +
		"CREATE INDEX orders_customer ON orders (customer_id);"
	for _, table := range []string{"orders", "ORDERS", "main.orders"} {
		r := c.call(t.Context(), "get-schema", args(map[string]any{"table": table}))
		assert.Equal(t, tools.Reply{Content: []string{orders}}, r, table)
	}
	r := c.call(t.Context(), "get-schema", args(map[string]any{"table": "totals"}))
	assert.Contains(t, r.Content[0], "CREATE VIEW totals")
	r = c.call(t.Context(), "get-schema", args(map[string]any{"table": "order'; DROP"}))
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], `no table is named "order'; DROP"; the nearest are: `)
	assert.Contains(t, r.Content[0], "orders")
}

func TestNamesWithHiddenCharactersAreShownWithoutAndFoundAgain(t *testing.T) {
	c := project(t, "CREATE TABLE \"pay\u202elor\U000e0041\" (a)", settings{})
	r := c.call(t.Context(), "get-tables", "{}")
	assert.Equal(t, []string{`["paylor"]`, "2 control, direction or invisible characters are left out."}, r.Content)
	r = c.call(t.Context(), "get-schema", `{"table":"paylor"}`)
	assert.False(t, r.IsError)
	assert.Equal(t, `CREATE TABLE "paylor" (a);`, r.Content[0])
}

func TestGetDatabaseTypeIsTheDocumentsWord(t *testing.T) {
	r := project(t, shop, settings{}).call(t.Context(), "get-database-type", "{}")
	assert.Equal(t, "sqlite", r.Content[0])
	assert.Regexp(t, `^SQLite 3\.\d+\.\d+; connection "app.db", file app.db$`, r.Content[1])
}

func TestArgumentsAreCheckedStrictly(t *testing.T) {
	c := project(t, shop, settings{})
	for _, tt := range []struct{ tool, arguments, want string }{
		{"run-query", `{"sql":"SELECT 1"}`, `Error: unknown argument "sql"; known: projectRoot, query, connection, toFile`},
		{"run-query", `{}`, "Error: the argument query is missing"},
		{"run-query", `{"query":" "}`, "Error: the argument query is empty"},
		{"run-query", `{"query":1}`, "Error: the argument query must be a string"},
		{"run-query", `{"query":"SELECT 1","toFile":"xml"}`, `Error: the argument toFile must be true, false, "csv" or "jsonl"`},
		{"get-schema", `{"table":"a\u0000b"}`, "Error: the argument table has a NUL character"},
		{"get-schema", `{"table":null}`, "Error: the argument table is missing"},
		{"get-tables", `{"includeViews":"yes"}`, "Error: the argument includeViews must be true or false"},
		{"get-tables", `{"pattern":"a","pattern":"b"}`, "Error: the arguments are not one JSON object without duplicate names"},
		{"get-tables", `[]`, "Error: the arguments are not one JSON object"},
		{"get-database-type", `{"connection":"other"}`, `no connection is named "other"; known: app.db`},
	} {
		r := c.call(t.Context(), tt.tool, tt.arguments)
		assert.True(t, r.IsError, tt.arguments)
		require.Len(t, r.Content, 1, tt.arguments)
		assert.Contains(t, r.Content[0], tt.want)
	}
}
