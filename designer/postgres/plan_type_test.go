package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// columnOfType is a column of a type with the length that it needs.
func columnOfType(info designer.TypeInfo, array bool) designer.Column {
	c := designer.Column{Name: "c", DataType: info.Name, Scale: info.Scale.Default}
	if info.Length == designer.Required {
		c.MaxLength = "3"
	}
	if array {
		c.DataType += "[]"
	}
	return c
}

func TestEveryTypeBecomesEveryOther(t *testing.T) {
	db := open(t, "")
	w := newWriter(designer.New(Dialect(), nil))
	var columns []designer.Column
	for _, info := range types()[:32] {
		columns = append(columns, columnOfType(info, false))
	}
	for _, name := range []string{"integer", "text", "boolean", "uuid", "jsonb"} {
		info, _ := known.Type(name)
		columns = append(columns, columnOfType(*info, true))
	}
	for _, a := range columns {
		var all strings.Builder
		for _, b := range columns {
			fmt.Fprintf(&all, "CREATE TEMP TABLE t (c %s); ALTER TABLE t ALTER COLUMN c TYPE %s", w.dataType(a), w.dataType(b))
			if using := conversion(a, b, "c", w.dataType(b)); using != "" {
				fmt.Fprintf(&all, " USING %s", using)
			}
			all.WriteString("; DROP TABLE t;\n")
		}
		_, err := db.Exec(all.String())
		assert.NoError(t, err, "from %s:\n%s", a.DataType, all.String())
	}
}

func TestValuesAreKeptWhereATypeCanHoldThem(t *testing.T) {
	db := open(t, "")
	w := newWriter(designer.New(Dialect(), nil))
	for _, tt := range []struct{ from, value, to, want string }{
		{"text", "'7'", "integer", "7"}, {"integer", "7", "boolean", "true"}, {"boolean", "true", "bigint", "1"}, {"numeric", "0", "boolean", "false"},
		{"text", "'x'", "text[]", "{x}"}, {"text[]", "'{x,y}'", "text", "{x,y}"}, {"integer[]", "'{4,5}'", "integer", "4"},
		{"integer[]", "'{4,5}'", "text[]", "{4,5}"}, {"text[]", "'{4,5}'", "integer[]", "{4,5}"}, {"integer[]", "'{4}'", "bigint[]", "{4}"},
		{"text", "'{\"a\": 1}'", "jsonb", `{"a": 1}`}, {"jsonb", "'[1]'", "text", "[1]"}, {"timestamp", "'2020-02-29 12:00'", "date", "2020-02-29"},
		{"date", "'2020-02-29'", "timestamp", "2020-02-29 00:00:00"}, {"real", "1.5", "numeric", "1.5"}, {"text", "NULL", "text[]", ""},
		{"uuid", "'00000000-0000-0000-0000-000000000001'", "text", "00000000-0000-0000-0000-000000000001"}, {"text", "'t'", "boolean", "true"},
	} {
		a, b := designer.Column{DataType: tt.from, Scale: fractions}, designer.Column{DataType: tt.to, Scale: fractions}
		using := conversion(a, b, "c", w.dataType(b))
		if using != "" {
			using = " USING " + using
		}
		run(t, db, fmt.Sprintf("CREATE TABLE t (c %s); INSERT INTO t VALUES (%s); ALTER TABLE t ALTER COLUMN c TYPE %s%s", tt.from, tt.value, tt.to, using))
		assert.Equal(t, tt.want, one[string](t, db, "SELECT coalesce(c::text, '') FROM t"), "%s to %s", tt.from, tt.to)
		run(t, db, "DROP TABLE t")
	}
}

func TestTypesThatKeepTheirRowsAreSaidToDoSo(t *testing.T) {
	db := open(t, "")
	w := newWriter(designer.New(Dialect(), nil))
	sized := func(text string) designer.Column {
		s := edited(t, designer.New(Dialect(), nil), fmt.Sprintf(`[{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"c","dataType":%q}]}]`, text))
		return tableOf(t, s, "t").Columns[0]
	}
	list := []string{"varchar(5)", "varchar(9)", "varchar", "text", "char(5)", "numeric(5,2)", "numeric(9,2)", "numeric(9,4)", "numeric", "integer", "bigint", "smallint",
		"real", "double precision", "timestamp(3)", "timestamp", "timestamptz", "date", "varbit(3)", "varbit(9)", "time(3)", "time", "inet", "cidr", "json", "jsonb"}
	db.SetMaxOpenConns(1)
	run(t, db, "SET timezone = 'Europe/Paris'; CREATE TEMP TABLE seen (x text, y text, before oid, after oid)")
	for _, x := range list {
		var all strings.Builder
		for _, y := range list {
			a, b := sized(x), sized(y)
			using := conversion(a, b, "c", w.dataType(b))
			if using != "" {
				using = " USING " + using
			}
			fmt.Fprintf(&all, `CREATE TEMP TABLE t (c %s); INSERT INTO seen VALUES ('%[2]s', '%[3]s', pg_relation_filenode('t'));
ALTER TABLE t ALTER COLUMN c TYPE %[4]s%[5]s; UPDATE seen SET after = pg_relation_filenode('t') WHERE x = '%[2]s' AND y = '%[3]s'; DROP TABLE t;`,
				w.dataType(a), x, y, w.dataType(b), using)
		}
		run(t, db, all.String())
	}
	rows, err := db.Query("SELECT x, y, before <> after FROM seen")
	require.NoError(t, err)
	n := 0
	for ; rows.Next(); n++ {
		var x, y string
		var rewritten bool
		require.NoError(t, rows.Scan(&x, &y, &rewritten))
		assert.Equal(t, rewritten, slices.Contains(typeRisks(sized(x), sized(y)), designer.RiskRewritesTable), "%s to %s", x, y)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, len(list)*len(list), n)
}
