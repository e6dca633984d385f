package db

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools"
)

// failed is the error that a reply says, nil where it says none.
func failed(r tools.Reply) error {
	if r.IsError {
		return errors.New(strings.Join(r.Content, "\n"))
	}
	return nil
}

func TestMySQLShowsValuesExactly(t *testing.T) {
	c := mysqlServed(t, "CREATE TABLE v (a bigint unsigned, b bit(3), c enum('x','y'), d set('p','q'), e float, f year, g json, h point, i binary(3), j tinyint(1));;\n"+
		"INSERT INTO v VALUES (18446744073709551615, b'101', 'y', 'p,q', 16777217, 2024, '{\"a\": 1.10}', POINT(1, 2), 'ab', 1)").connect(t, settings{})
	for _, tt := range []struct{ query, types, row string }{
		{"SELECT 9007199254740992, -9223372036854775808, TRUE, NULL",
			"bigint bigint int null", `[9007199254740992,"-9223372036854775808",1,null]`},
		{"SELECT 1.10, CAST('123456789012345678901234567890.5' AS DECIMAL(40,5)), 0.1e0, 1e300",
			"decimal(3,2) decimal(40,5) double double", `["1.10","123456789012345678901234567890.50000",0.1,1e+300]`},
		{"SELECT DATE '2024-02-29', TIMESTAMP '2024-02-29 12:34:56.789', TIME '-12:34:56.5', CAST('0000-00-00 00:00:00' AS DATETIME)",
			"date datetime time datetime", `["2024-02-29","2024-02-29T12:34:56.789","-12:34:56.5","0000-00-00 00:00:00"]`},
		{"SELECT x'00ff41', 'é', '', 'a' AS `A b`, 1 AS id, 2 AS id",
			"varbinary varchar varchar varchar int int", `[{"$base64":"AP9B"},"é","","a",1,2]`},
		{"SELECT a, b, c, d, e, f, i, j FROM v", "bigint unsigned bit enum set float year binary tinyint",
			`["18446744073709551615",5,"y","p,q",16777216.0,2024,{"$base64":"YWIA"},1]`},
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
		require.Len(t, got.Rows, 1, tt.query)
		assert.Equal(t, tt.row, string(got.Rows[0]), tt.query)
		assert.Equal(t, tt.types, strings.Join(types, " "), tt.query)
	}
	r := ask(t, c, "SELECT g, h FROM v")
	assert.Contains(t, r.Content[0], `"{\"a\": 1.10}",{"$base64":"`)
}

func TestMySQLAnswersTheOtherTools(t *testing.T) {
	c := mysqlServed(t, "CREATE TABLE a (id int PRIMARY KEY, n int, KEY n (n));;\nCREATE VIEW v AS SELECT id FROM a").connect(t, settings{})
	assert.Equal(t, tools.Reply{Content: []string{`["a","v"]`, `Views: ["v"]`}}, c.call(t.Context(), "get-tables", `{"includeViews":true}`))
	r := c.call(t.Context(), "get-database-type", `{}`)
	assert.Equal(t, "mysql2", r.Content[0])
	assert.Regexp(t, `^(MySQL|MariaDB) \d+`, r.Content[1])
	r = c.call(t.Context(), "get-schema", `{"table":"a"}`)
	assert.Contains(t, r.Content[0], "CREATE TABLE `a` (")
	assert.Contains(t, r.Content[0], "KEY `n` (`n`)")
	r = c.call(t.Context(), "get-schema", `{"table":"v"}`)
	assert.Contains(t, r.Content[0], "VIEW `v` AS")
}

func TestMySQLQueriesAreLimited(t *testing.T) {
	c := mysqlServed(t, "").connect(t, settings{})
	numbers := "WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < %d) SELECT n, REPEAT('x', 10) FROM g"
	for limit, truncated := range map[int]bool{199: false, 200: false, 201: true, 900: true} {
		r := ask(t, c, fmt.Sprintf(numbers, limit))
		require.False(t, r.IsError, r.Content)
		assert.Contains(t, r.Content[0], fmt.Sprintf(`"rowCount":%d,"truncated":%v`, min(limit, 200), truncated))
	}
	r := ask(t, c, "WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < 100) SELECT REPEAT('x', 2000) FROM g")
	assert.LessOrEqual(t, len(r.Content[0]), 64<<10)
	assert.Contains(t, r.Content[1], "the limit of 24576 bytes")
	r = c.call(t.Context(), "run-query", args(map[string]any{"query": fmt.Sprintf(numbers, 987), "toFile": true}))
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `"rows":987`)
}

func TestWhatMySQLSaysReachesTheCaller(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE customers (id int)")
	c := s.connect(t, settings{})
	for query, want := range map[string]string{
		"SELECT * FROM custmers":    "MySQL: Table '" + s.config.Address.Database + ".custmers' doesn't exist",
		"SELECT idd FROM customers": "MySQL: Unknown column 'idd' in ",
		"SELECT FROM FROM":          "MySQL: You have an error in your SQL syntax; ",
	} {
		r := ask(t, c, query)
		assert.True(t, r.IsError)
		require.NotEmpty(t, r.Content)
		assert.Contains(t, r.Content[0], want, query)
	}
}

// MariaDB ends a connection that reads the information schema while others drop
// databases, in the middle of its answer: what reads the catalogue asks once
// more.
func TestACatalogueReaderAsksOnceMoreWhereTheServerEndsTheConnection(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE a (id int PRIMARY KEY);;\nCREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET NEW.id = 1")
	cutter := enginetest.NewCutter(t, net.JoinHostPort(s.config.Address.Host, strconv.Itoa(s.config.Address.Port)))
	host, port, err := net.SplitHostPort(cutter.Addr)
	require.NoError(t, err)
	s.config.Address.Host = host
	s.config.Address.Port, err = strconv.Atoi(port)
	require.NoError(t, err)
	c := s.connect(t, settings{})
	source, err := c.Source(t.Context(), "app")
	require.NoError(t, err)
	for name, one := range map[string]struct {
		text string
		ask  func() error
	}{
		"get-tables":    {"information_schema.TABLES", func() error { return failed(c.call(t.Context(), "get-tables", "{}")) }},
		"get-schema":    {"SHOW CREATE TABLE", func() error { return failed(c.call(t.Context(), "get-schema", `{"table":"a"}`)) }},
		"search-schema": {"information_schema.COLUMNS", func() error { return failed(c.call(t.Context(), "search-schema", `{"pattern":"a"}`)) }},
		"run-query":     {"SHOW CREATE TABLE", func() error { return failed(c.call(t.Context(), "run-query", `{"query":"SELECT id FROM a"}`)) }},
		"mark":          {"SHOW GLOBAL STATUS", func() error { _, err := source.Mark(t.Context()); return err }},
		"read":          {"information_schema.TRIGGERS", func() error { _, err := source.Read(t.Context()); return err }},
	} {
		cutter.CutAt(one.text, 1)
		assert.NoError(t, one.ask(), name)
		assert.Equal(t, 1, cutter.Cuts(), name)
		cutter.CutAt(one.text, 9)
		assert.ErrorContains(t, one.ask(), "the connection to the server was lost", name)
		assert.Equal(t, 2, cutter.Cuts(), "%s: once more, and no more", name)
		cutter.CutAt("", 0)
	}
}
