package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/e2e/long"
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
	t.Parallel()
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
	for _, a := range long.Sample(t, 8, columns) {
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
	t.Parallel()
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
	t.Parallel()
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

// samples are values that a type tells apart, two of them as like each other as
// the type allows.
var samples = []struct{ dataType, values string }{
	{"smallint", "'1','2','300','1011','1010'"}, {"integer", "'1','2','1011','1010','16777216','16777217'"}, {"bigint", "'1','2','9007199254740992','9007199254740993'"},
	{"numeric", "'1','1.00001','1.4','2','123456789012345678','123456789012345679'"}, {"numeric(9,2)", "'1','1.01','1.40','2'"}, {"numeric(5,0)", "'1','2','99999'"},
	{"real", "'1','1.4','2','1.00001'"}, {"double precision", "'1','1.4','2','1.000000000000001'"}, {"boolean", "'true','false'"},
	{"money", "'1','1.01','1.40'"}, {"text", "'1','1.001','1.002','2024-01-02','2024-01-02 10:00:00','2024-01-02 11:00:00','101','1011','10:00:00.1','10:00:00.2'"},
	{"varchar(30)", "'1','1.001','1.002','2024-01-02','2024-01-02 10:00:00','101','1011'"}, {"char(30)", "'1','1.001','1.002','101','1011'"},
	{"date", "'2024-01-02','2024-01-03'"}, {"timestamp", "'2024-01-02 10:00','2024-01-02 10:00:00.1','2024-01-02 10:00:00.12','2024-01-03 10:00'"},
	{"timestamp(0)", "'2024-01-02 10:00','2024-01-02 10:00:01','2024-01-03 10:00'"},
	{"timestamptz", "'2024-10-27 02:30+02','2024-10-27 02:30+01','2024-01-02 10:00','2024-01-02 10:00:00.1','2024-01-02 10:00:00.12','2024-01-03 10:00'"},
	{"timestamptz(0)", "'2024-01-02 10:00','2024-01-02 10:00:01','2024-01-03 10:00'"},
	{"time", "'10:00','10:00:00.1','10:00:00.12'"}, {"time(0)", "'10:00','10:00:01'"}, {"timetz", "'10:00+00','11:00+01','10:00+01','10:00:00.1+00'"},
	{"interval", "'1 day','2 days','1 day 1 hour','1 hour','1.5 seconds','1 month','30 days'"},
	{"uuid", "'00000000-0000-0000-0000-000000000001','00000000-0000-0000-0000-000000000002'"},
	{"json", `'1','{"a":1}','{"a":2, "a":1}'`}, {"jsonb", `'1','{"a":1}'`}, {"bytea", "'a','b'"},
	{"bit(8)", "'10101010','10101011'"}, {"varbit(8)", "'1010','10101'"}, {"inet", "'10.0.0.1/24','10.0.0.2/24','10.0.0.0/24'"}, {"cidr", "'10.0.0.0/24','10.0.1.0/24'"},
	{"macaddr", "'08:00:2b:01:02:03'"}, {"oid", "'1','2'"}, {"integer[]", "'{1}','{1,2}','{2}'"}, {"text[]", "'{1}','{1.001}','{1,2}'"}, {"numeric[]", "'{1.4}','{1}'"},
}

// narrowed are types that have less room than the samples.
var narrowed = []string{"varchar(4)", "char(4)", "numeric(3,1)", "timestamp(3)", "bit(3)", "varbit(3)", "boolean[]", "date[]", "integer[]", "numeric(3,1)[]"}

// Two values that become one are a loss, whatever the types are called: the
// server says which do, and typeRisks has to say data_loss of the pair.
func TestAPairOfTypesThatLosesValuesIsSaidToDoSo(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	db.SetMaxOpenConns(1)
	run(t, db, "SET timezone = 'Europe/Paris'")
	w := newWriter(designer.New(Dialect(), nil))
	column := func(text string) designer.Column {
		s := edited(t, designer.New(Dialect(), nil), fmt.Sprintf(`[{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"c","dataType":%q}]}]`, text))
		return tableOf(t, s, "t").Columns[0]
	}
	targets := slices.Clone(narrowed)
	for _, s := range samples {
		targets = append(targets, s.dataType)
	}
	lost, played := 0, long.Sample(t, 6, samples)
	for _, from := range played {
		a := column(from.dataType)
		run(t, db, fmt.Sprintf("CREATE TEMP TABLE s (n integer, c %s)", w.dataType(a)))
		for i, v := range strings.Split(strings.ReplaceAll(from.values, "','", "'\x00'"), "\x00") {
			run(t, db, fmt.Sprintf("INSERT INTO s VALUES (%d, %s)", i+1, v))
		}
		for _, target := range targets {
			b := column(target)
			was, is := survivors(t, db, conversion(a, b, "c", w.dataType(b)), w.dataType(b))
			says := slices.Contains(typeRisks(a, b), designer.RiskDataLoss)
			if is < was {
				lost++
				assert.True(t, says, "%s to %s: of %d values %d are left", from.dataType, target, was, is)
			}
		}
		run(t, db, "DROP TABLE s")
	}
	for _, pair := range [][2]string{{"boolean", "numeric(9,2)"}, {"text[]", "text"}, {"integer[]", "varchar(30)"}, {"smallint", "real"},
		{"integer", "double precision"}, {"numeric(9,2)", "double precision"}, {"numeric(5,0)", "bigint"}, {"jsonb", "json"}, {"time", "timetz"},
		{"time", "interval"}, {"integer", "jsonb"}, {"timestamp", "timestamptz"}} {
		assert.NotContains(t, typeRisks(column(pair[0]), column(pair[1])), designer.RiskDataLoss, "%s to %s", pair[0], pair[1])
	}
	t.Logf("%d pairs lose values", lost)
	assert.Greater(t, lost, 50*len(played)/len(samples), "the samples are too unlike each other to show a loss")
}

// survivors gives the rows of s another type, and counts the different values
// before and after: of all rows where the server converts them all, else of
// those that it converts one by one.
func survivors(t *testing.T, db *sql.DB, using, dataType string) (was, is int) {
	t.Helper()
	if using != "" {
		using = " USING " + using
	}
	before, after, err := alteredRows(t, db, "true", dataType+using)
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &refused) && strings.HasPrefix(refused.Code, ofStatement) {
		return len(before), len(after)
	}
	all, kept := map[string]bool{}, map[string]bool{}
	for row := range one[int](t, db, "SELECT count(*) FROM s") {
		before, after, err := alteredRows(t, db, fmt.Sprintf("n = %d", row+1), dataType+using)
		if err == nil {
			maps.Copy(all, before)
			maps.Copy(kept, after)
		}
	}
	return len(all), len(kept)
}

// ofStatement is the class of the errors that are about a statement, whatever
// the values are: a type that is not converted to the other.
const ofStatement = "42"

// alteredRows alters a table of the rows of s that a condition holds for, and
// returns the values as they were and as they are.
func alteredRows(t *testing.T, db *sql.DB, condition, dataType string) (before, after map[string]bool, err error) {
	t.Helper()
	tx, err := db.Begin()
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback()) }()
	_, err = tx.Exec("CREATE TEMP TABLE one AS SELECT c, c::text AS was FROM s WHERE " + condition + "; ALTER TABLE one ALTER COLUMN c TYPE " + dataType)
	if err != nil {
		return nil, nil, err
	}
	rows, err := tx.Query("SELECT was, c::text FROM one WHERE c IS NOT NULL")
	require.NoError(t, err)
	defer func() { _ = rows.Close() }() // rows.Err reports errors
	before, after = map[string]bool{}, map[string]bool{}
	for rows.Next() {
		var was, is string
		require.NoError(t, rows.Scan(&was, &is))
		before[was], after[is] = true, true
	}
	require.NoError(t, rows.Err())
	return before, after, nil
}
