package db

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
)

func TestPostgreSQLShowsValuesExactly(t *testing.T) {
	c := postgresServed(t, "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN small AS int CHECK (VALUE < 10)").connect(t, settings{})
	for _, tt := range []struct{ query, types, row string }{
		{"SELECT 9007199254740992::int8, -9223372036854775808, 32767::int2, 1::oid, true, null",
			"bigint bigint smallint oid boolean text", `[9007199254740992,"-9223372036854775808",32767,1,true,null]`},
		{"SELECT 1.10::numeric(10,2), 123456789012345678901234567890.5, 'NaN'::numeric, '$1,234.50'::money",
			"numeric(10,2) numeric numeric money", `["1.10","123456789012345678901234567890.5","NaN","$1,234.50"]`},
		{"SELECT 0.1::float8, 0.1::float4, 1e300::float8, 'NaN'::float8, '-Infinity'::float4, 3::float8",
			"double precision real double precision double precision real double precision", `[0.1,0.1,1e+300,"NaN","-Infinity",3.0]`},
		{"SELECT '2024-02-29 12:34:56.789012+05:30'::timestamptz, '2024-02-29 12:34:56'::timestamp, 'infinity'::timestamptz, '0044-03-15 BC'::timestamp",
			"timestamp with time zone timestamp without time zone timestamp with time zone timestamp without time zone",
			`["2024-02-29T07:04:56.789012+00:00","2024-02-29T12:34:56","infinity","0044-03-15 00:00:00 BC"]`},
		{"SELECT '2024-02-29'::date, 'infinity'::date, '12:34:56.5'::time, '12:34:56+02'::timetz, interval '1 day 2 hours 3.5 seconds'",
			"date date time without time zone time with time zone interval", `["2024-02-29","infinity","12:34:56.5","12:34:56+02","1 day 02:00:03.5"]`},
		{`SELECT ARRAY[1,NULL,3], ARRAY['a,b','"c"'], '{"a": 12345678901234567890}'::json, '{"b":1.10}'::jsonb`,
			"integer[] text[] json jsonb", `["{1,NULL,3}","{\"a,b\",\"\\\"c\\\"\"}","{\"a\": 12345678901234567890}","{\"b\": 1.10}"]`},
		{`SELECT '\x00ff41'::bytea, ''::bytea, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, '192.168.0.1/24'::inet, B'101', 'ok'::mood, 7::small, int4range(1, 5)`,
			`bytea bytea uuid inet "bit" mood integer int4range`,
			`[{"$base64":"AP9B"},{"$base64":""},"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","192.168.0.1/24","101","ok",7,"[1,5)"]`},
		{"SELECT 'x'::varchar(7), 'y'::char(3), 'a' AS \"A b\", 1 AS id, 2 AS id, ROW(1,'b')",
			"character varying(7) character(3) text integer integer record", `["x","y  ","a",1,2,"(1,b)"]`},
	} {
		r := ask(t, c, tt.query)
		require.False(t, r.IsError, "%s: %v", tt.query, r.Content)
		var got struct {
			Columns []struct{ Type string }
			Rows    []json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &got))
		var types []string
		for _, c := range got.Columns {
			types = append(types, c.Type)
		}
		assert.Equal(t, tt.types, strings.Join(types, " "), tt.query)
		require.Len(t, got.Rows, 1, tt.query)
		assert.Equal(t, tt.row, string(got.Rows[0]), tt.query)
	}
}

func TestPostgreSQLTimesKeepTheSessionsZone(t *testing.T) {
	s := postgresServed(t, "")
	s.Exec(t, `ALTER DATABASE "`+s.config.Address.Database+`" SET timezone = 'Asia/Kolkata'; ALTER DATABASE "`+s.config.Address.Database+`" SET datestyle = 'German, DMY'`)
	r := ask(t, s.connect(t, settings{}), "SELECT '2024-02-29 00:00+00'::timestamptz, '1850-01-01 00:00'::timestamptz, '01/02/2024'::date")
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `[["2024-02-29T05:30:00+05:30","1850-01-01 00:00:00+05:53:28","2024-02-01"]]`)
}

func TestPostgreSQLAnswersTheOtherTools(t *testing.T) {
	c := postgresServed(t, `CREATE TABLE a (id int PRIMARY KEY); CREATE SCHEMA s; CREATE TABLE s."B" (id int); CREATE VIEW v AS SELECT * FROM a`).connect(t, settings{})
	assert.Equal(t, tools.Reply{Content: []string{`["a","v","s.B"]`, `Views: ["v"]`}}, c.call(t.Context(), "get-tables", `{"includeViews":true}`))
	r := c.call(t.Context(), "get-database-type", `{}`)
	assert.Equal(t, "postgres", r.Content[0])
	assert.Regexp(t, `^PostgreSQL \d+`, r.Content[1])
}

func TestPostgreSQLQueriesAreLimited(t *testing.T) {
	c := postgresServed(t, "").connect(t, settings{})
	for limit, truncated := range map[int]bool{199: false, 200: false, 201: true, 100_000: true} {
		r := ask(t, c, fmt.Sprintf("SELECT g, repeat('x', 10) FROM generate_series(1, %d) g", limit))
		require.False(t, r.IsError, r.Content)
		assert.Contains(t, r.Content[0], fmt.Sprintf(`"rowCount":%d,"truncated":%v`, min(limit, 200), truncated))
	}
	r := ask(t, c, "SELECT repeat('x', 2000) FROM generate_series(1, 100)")
	assert.LessOrEqual(t, len(r.Content[0]), 64<<10)
	assert.Contains(t, r.Content[1], "the limit of 24576 bytes")
	r = c.call(t.Context(), "run-query", args(map[string]any{"query": "SELECT g FROM generate_series(1, 12345) g", "toFile": true}))
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `"rows":12345`)
}

func TestWhatPostgreSQLSaysReachesTheCaller(t *testing.T) {
	c := postgresServed(t, "CREATE TABLE customers (id int)").connect(t, settings{})
	for query, want := range map[string]string{
		"SELECT * FROM custmers":                   `PostgreSQL: relation "custmers" does not exist`,
		"SELECT FROM FROM":                         `PostgreSQL: syntax error at or near "FROM"`,
		"SELECT idd FROM customers":                `PostgreSQL: column "idd" does not exist (Perhaps you meant to reference the column "customers.id".)`,
		"SELECT 1/(id-id) FROM (SELECT 1 AS id) x": `PostgreSQL: division by zero`,
	} {
		r := ask(t, c, query)
		r.Content = r.Content[:1] // what there is follows
		assert.Equal(t, tools.Reply{Content: []string{want}, IsError: true, Reason: "query_failed"}, r, query)
	}
	r := ask(t, c, "SELECT 1")
	assert.False(t, r.IsError, "errors leave the connection usable")
}

func TestPostgreSQLTellsHowATableIsMadeSoThatItCanBe(t *testing.T) {
	t.Parallel()
	s := postgresServed(t, `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE SEQUENCE counter; CREATE SCHEMA s;
		CREATE TABLE unrelated (id int);
		CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n bigint DEFAULT nextval('counter'), m mood DEFAULT 'ok', total numeric(10,2) CHECK (total > 0), note text COLLATE "C");
		CREATE UNIQUE INDEX orders_note ON orders (lower(note)) INCLUDE (total) WHERE note <> ''; COMMENT ON COLUMN orders.note IS 'what it''s for';
		CREATE TABLE s.lines (order_id int REFERENCES orders ON DELETE CASCADE, pos int, PRIMARY KEY (order_id, pos)); CREATE INDEX ON unrelated (id);
		CREATE VIEW totals AS SELECT sum(total) AS total FROM orders`)
	c := s.connect(t, settings{})
	again := postgresServed(t, "CREATE SCHEMA s")
	for _, table := range []string{"orders", "s.lines", "totals"} {
		r := c.call(t.Context(), "get-schema", args(map[string]any{"table": table}))
		require.False(t, r.IsError, r.Content)
		assert.NotContains(t, r.Content[0], "unrelated")
		again.Exec(t, r.Content[0])
		assert.Equal(t, r, again.connect(t, settings{}).call(t.Context(), "get-schema", args(map[string]any{"table": table})))
	}
	r := c.call(t.Context(), "get-schema", `{"table":"public.ORDERS"}`)
	assert.Contains(t, r.Content[0], "orders_note")
	r = c.call(t.Context(), "get-schema", `{"table":"order"}`)
	assert.Contains(t, r.Content[0], `no table is named "order"; the nearest are: orders`)
}
