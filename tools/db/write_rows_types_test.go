package db

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

// typed is a column of a type: a value in SQL, the one that is written over
// it, and what is read then; the same where it is not given.
type typed struct {
	column, sql string
	set, read   rowedit.Value
}

var same = rowedit.Value{As: "same"}

// eachType has a row with a value in every column, writes another value over
// each, each finding what was read before, and deletes the row at the end,
// which compares all of them.
func eachType(t *testing.T, c testProject, columns []typed) {
	for i, column := range columns {
		before := c.cellsOf(t, "every", "id")[0]
		name := fmt.Sprintf("c%d", i)
		require.NotEqual(t, null, before[name], "%s has a value", column.column)
		change := rowedit.Change{Kind: rowedit.Update, Row: before, Set: cells{name: column.set}}
		out := c.made(t, rowedit.Changes{Table: browse.Table{Name: "every"}, Rows: []rowedit.Change{change}})
		assert.Equal(t, rowedit.Outcome{Done: 1}, out, "%s: %v", column.column, out.Refused)
		want := column.read
		if want == same {
			want = column.set
		}
		assert.Equal(t, want, c.cellsOf(t, "every", "id")[0][name], column.column)
		// What is read is not what was there before.
		out = c.made(t, rowedit.Changes{Table: browse.Table{Name: "every"}, Rows: []rowedit.Change{change}})
		assert.NotNil(t, out.Refused, "%s: the old value was found again", column.column)
	}
	last := rowedit.Changes{Table: browse.Table{Name: "every"}, Rows: []rowedit.Change{{Kind: rowedit.Delete, Row: c.cellsOf(t, "every", "id")[0]}}}
	reviewed, err := c.PageReview(t.Context(), "", last)
	require.NoError(t, err)
	assert.Empty(t, reviewed.Statements[0].NotCompared)
	assert.Equal(t, rowedit.Outcome{Done: 1}, c.made(t, last))
}

// every makes the table of the columns, with one row.
func every(columns []typed) string {
	names, values := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], values[i] = fmt.Sprintf("c%d %s", i, c.column), c.sql
	}
	return fmt.Sprintf("CREATE TABLE every (id INTEGER PRIMARY KEY, %s);\nINSERT INTO every VALUES (1, %s);\n", strings.Join(names, ", "), strings.Join(values, ", "))
}

func boolean(s string) rowedit.Value { return rowedit.Value{As: rowedit.Bool, Text: s} }

func TestValuesOfEveryTypeOfSQLite(t *testing.T) {
	columns := []typed{
		{"INTEGER", "9007199254740993", text("9007199254740995"), same},
		{"REAL", "1.5", number("0.1"), same},
		{"REAL", "9e999", number("1"), number("1.0")},
		{"TEXT COLLATE NOCASE", "'abc'", text("ABC"), same},
		{"", "'12'", number("12"), same},
		{"", "12", text("12"), same},
		{"", "x'00ff'", text("00ff"), same},
		{"BLOB", "'text'", blob("00"), same},
		{"NUMERIC", "12.50", text("12.75"), number("12.75")},
		{"BOOLEAN", "TRUE", boolean("false"), number("0")},
		{"DATE", "'2024-01-02'", text("2024-02-29"), same},
		{"JSON", `'{"a": 1}'`, text(`{"a": 2}`), same},
	}
	eachType(t, project(t, every(columns), settings{}), columns)
}

func TestValuesOfEveryTypeOfPostgreSQL(t *testing.T) {
	columns := []typed{
		{"bigint", "9007199254740993", text("9007199254740995"), same},
		{"smallint", "1", number("2"), same},
		{"numeric", "12345678901234567890.10", text("0.1000"), same},
		{"real", "0.1", number("0.2"), same},
		{"double precision", "0.1", text("Infinity"), same},
		{"boolean", "true", boolean("false"), same},
		{"text", "'abc'", text("ABC"), same},
		{"varchar(5)", "'abc '", text("abc"), same},
		{"char(5)", "'abc'", text("x"), text("x    ")},
		{"bytea", `'\x00ff'`, blob("01"), same},
		{"date", "'2024-01-02'", text("2024-02-29"), same},
		{"time(3)", "'10:00:00.5'", text("23:59:59.999"), same},
		{"timestamp", "'2024-01-02 10:00:00.123456'", text("2024-01-02T10:00:00.123457"), same},
		{"timestamptz", "'2024-01-02 10:00:00.5+02'", text("2024-01-02T10:00:00.25Z"), text("2024-01-02T10:00:00.25+00:00")},
		{"interval", "'1 day'", text("24:00:00"), same},
		{"uuid", "'00000000-0000-0000-0000-000000000001'", text("00000000-0000-0000-0000-000000000002"), same},
		{"json", `'{"a": 1}'`, text(`{"a":  1}`), same},
		{"jsonb", `'{"a": 1}'`, text(`{"a":2}`), text(`{"a": 2}`)},
		{"xml", "'<a/>'", text("<b/>"), same},
		{"integer[]", "'{1,2}'", text("{1,NULL,3}"), same},
		{"text[]", `'{"a b"}'`, text(`{"a,b","c\"d"}`), same},
		{"timestamp[]", "'{2024-01-02 10:00:00}'", text(`{"2024-01-02 10:00:01"}`), same},
		{"mood", "'sad'", text("happy"), same},
		{"mood[]", "'{sad}'", text("{sad,happy}"), same},
		{"short", "'abc'", text("ab"), same},
		{"bit(4)", "'1010'", text("0101"), same},
		{"point", "'(1,2)'", text("(3,4)"), same},
		{"int4range", "'[1,5)'", text("[2,6)"), same},
		{"inet", "'10.0.0.1'", text("10.0.0.2/24"), same},
		{"money", "'$1.00'", text("$2.50"), same},
		{"tsvector", "'a b'", text("'c'"), same},
	}
	c := postgresServed(t, "CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN short AS varchar(3) CHECK (VALUE <> '');\n"+every(columns)).connect(t, settings{})
	eachType(t, c, columns)
}

func TestValuesOfEveryTypeOfMySQL(t *testing.T) {
	columns := []typed{
		{"BIGINT UNSIGNED", "18446744073709551614", text("18446744073709551615"), same},
		{"TINYINT(1)", "1", number("0"), same},
		{"MEDIUMINT UNSIGNED", "1", number("2"), same},
		{"DECIMAL(40,10)", "123456789012345678901234567890.1000000001", text("123456789012345678901234567890.1000000002"), same},
		{"DECIMAL(10,2) UNSIGNED", "1.50", number("2.5"), text("2.50")},
		{"FLOAT", "0.1", number("0.2"), same},
		{"DOUBLE", "0.1", number("1e+300"), same},
		{"VARCHAR(20) CHARACTER SET latin1", "'é'", text("e"), same},
		{"VARCHAR(20)", "'abc'", text("ABC "), same},
		{"CHAR(5)", "'abc'", text("x"), same},
		{"LONGTEXT", "'船'", text("\\'\"船\n"), same},
		{"VARBINARY(4)", "x'ff00'", blob("fffe"), same},
		{"BINARY(2)", "x'0102'", blob("03"), blob("0300")},
		{"LONGBLOB", "x'ff'", blob(""), same},
		{"BIT(8)", "b'1010'", number("255"), same},
		{"BIT(64)", "b'1'", text("18446744073709551615"), same},
		{"DATE", "'2024-01-02'", text("2024-02-29"), same},
		{"DATETIME(6)", "'2024-01-02 10:00:00.123456'", text("2024-01-02T10:00:00.123457"), same},
		{"TIMESTAMP NULL", "'2024-01-02 10:00:00'", text("2024-01-02T10:00:01"), same},
		{"TIME(3)", "'-100:00:00.5'", text("10:00:00.250"), same},
		{"YEAR", "2024", number("2025"), same},
		{"ENUM('sad','happy')", "'sad'", text("happy"), same},
		{"SET('a','b','c')", "'a,b'", text("c"), same},
		{"JSON", `'{"a": 1}'`, text(`{"a": 2}`), same},
		{"UUID", "'00000000-0000-0000-0000-000000000001'", text("00000000-0000-0000-0000-000000000002"), same},
		{"INET6", "'::1'", text("::2"), same},
	}
	eachType(t, mysqlServed(t, strings.SplitAfter(every(columns), ");\n")...).connect(t, settings{}), columns)
}

// Dates that are none in a strict session were written in another one.
func TestZeroDatesOfMySQLAreFound(t *testing.T) {
	c := mysqlServed(t, "CREATE TABLE every (id INT PRIMARY KEY, d DATE, t DATETIME);\n", "SET SESSION sql_mode = '';\n", "INSERT INTO every VALUES (1, '0000-00-00', '2024-00-00 10:00:00');\n").connect(t, settings{})
	row := c.cellsOf(t, "every", "id")[0]
	require.Equal(t, text("0000-00-00"), row["d"])
	change := rowedit.Change{Kind: rowedit.Update, Row: row, Set: cells{"d": text("2024-01-02"), "t": null}}
	assert.Equal(t, rowedit.Outcome{Done: 1}, c.made(t, rowedit.Changes{Table: browse.Table{Name: "every"}, Rows: []rowedit.Change{change}}))
}

// A session that is not strict would cut what is too long, and keep a part.
func TestNothingIsCutToFitOnMySQL(t *testing.T) {
	c := mysqlServed(t, "CREATE TABLE every (id INT PRIMARY KEY, a VARCHAR(3), n TINYINT);\n", "INSERT INTO every VALUES (1, 'abc', 1);\n")
	c.config.Address.Params = map[string]string{"sql_mode": "''"}
	for _, set := range []cells{{"a": text("abcd")}, {"n": number("300")}} {
		p := c.connect(t, settings{})
		out := p.made(t, rowedit.Changes{Table: browse.Table{Name: "every"}, Rows: []rowedit.Change{{Kind: rowedit.Update, Row: p.cellsOf(t, "every", "id")[0], Set: set}}})
		require.NotNil(t, out.Refused)
		assert.Regexp(t, "too long|Out of range", out.Refused.Why)
	}
}
