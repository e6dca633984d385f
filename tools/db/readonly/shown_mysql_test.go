package readonly

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/sqltext"
)

// judged are the names of functions and tables that a view's text is judged by.
func judged(t testing.TB, text string) (names []string) {
	t.Helper()
	r := NewMySQLReach(nil, "app", NewMySQLWords(), &MySQLMemory{})
	source := sourceMySQL{tokens: sqltext.Significant(MySQLTokens(text)), database: "app"}
	for _, c := range r.called(source) {
		names = append(names, "function "+c.key())
	}
	tables, err := r.tableNames(source)
	require.NoError(t, err)
	for _, table := range tables {
		names = append(names, "table "+table.exact())
	}
	for _, token := range source.tokens {
		if token.Kind == sqltext.Illegal {
			names = append(names, "what cannot be read")
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A view is judged by no less where it is shown than by the catalogue's text, or
// showing does not settle it.
func TestAViewThatIsShownIsTheOneOfTheCatalogue(t *testing.T) {
	admin, _ := enginetest.MySQL().New(t)
	conn, err := admin.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	run := func(statement string) {
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	for _, statement := range []string{"CREATE TABLE t (a INT, b VARCHAR(20), `odd ``name` INT)", "CREATE TABLE `FROM` (a INT)",
		"CREATE FUNCTION f(a INT) RETURNS INT RETURN a", "CREATE FUNCTION `count`(a INT) RETURNS INT RETURN a", "CREATE VIEW inner_one AS SELECT f(a) AS n FROM t"} {
		run(statement)
	}
	for _, view := range []struct {
		names, as string
		left      bool // to the catalogue
	}{
		{"utf8mb4", "SELECT a, b FROM t", false},
		{"utf8mb4", "SELECT f(a), UPPER(b), `count`(a), COUNT(*), COALESCE(a, `odd ``name`) FROM t GROUP BY a, b", false},
		{"utf8mb4", "SELECT n FROM inner_one WHERE n IN (SELECT f(t.a) FROM t, `FROM` x)", false},
		{"utf8mb4", "SELECT x.a FROM (t x, `FROM` y) LEFT JOIN (t z JOIN inner_one) ON x.a = f(z.a) UNION SELECT 1 FROM t, `FROM`", false},
		{"utf8mb4", "SELECT 'it''s', \"x\", 'é', '-- no', '/* no */', 'f(1)' FROM t", true},
		{"utf8mb4", "SELECT 'a', 'é', '-- no', '/* no */', 'f(1)' FROM t", false},
		{"utf8mb4", "SELECT 'a\\\\', f(1), 'b' FROM t", true},
		{"utf8mb4", "SELECT _latin1'a', f(1) FROM t", true},
		{"utf8mb4", "SELECT CONCAT(_sjis x'955c', 'a'), f(1), 'b' FROM t", true},
		{"utf8mb4", "SELECT _utf16 x'0027', f(1), 'b' FROM t", true},
		{"sjis", "SELECT '\x95\x5c', f(1), 'b' FROM t", true},
		{"gbk", "SELECT '\xbf\x5c', f(1), 'b' FROM t", true},
		{"latin1", "SELECT a FROM t", true},
		{"utf8mb4", "WITH c AS (SELECT a FROM t) SELECT c.a FROM c, t x WHERE x.a = 1", true},
	} {
		run("SET NAMES " + view.names)
		run("CREATE OR REPLACE VIEW v AS " + view.as)
		run("SET NAMES utf8mb4")
		row := shownRow(t, conn, "SHOW CREATE TABLE v")
		var catalogue string
		require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'v'").Scan(&catalogue))
		var database string
		require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT DATABASE()").Scan(&database))
		shown := shownView(row)
		t.Log(row[1])
		if shown == "" {
			assert.True(t, view.left, row[1])
			continue
		}
		assert.NotContains(t, judged(t, shown), "what cannot be read", shown)
		inApp := func(text string) []string { // which database the names are in is written or not
			r := judged(t, text)
			for i := range r {
				r[i] = replaceDatabase(r[i], database)
			}
			slices.Sort(r)
			return slices.Compact(r)
		}
		assert.Subset(t, inApp(shown), inApp(catalogue), shown)
		assert.NotEmpty(t, inApp(catalogue))
	}
	assert.Empty(t, shownView(shownRow(t, conn, "SHOW CREATE TABLE t")))
	assert.True(t, isPlainTable(shownRow(t, conn, "SHOW CREATE TABLE t")))
	assert.False(t, isPlainTable(shownRow(t, conn, "SHOW CREATE TABLE v")))
}

// replaceDatabase writes app for a database.
func replaceDatabase(name, database string) string {
	return strings.Replace(name, " "+database+"\x00", " app\x00", 1)
}

// shownRow is the only row of a statement.
func shownRow(t testing.TB, conn *sql.Conn, statement string) []string {
	t.Helper()
	rows, err := conn.QueryContext(context.Background(), statement)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	row, pointers := make([]string, len(columns)), make([]any, len(columns))
	for i := range row {
		pointers[i] = &row[i]
	}
	require.True(t, rows.Next())
	require.NoError(t, rows.Scan(pointers...))
	return row
}

func TestWhatIsShownIsReadStrictly(t *testing.T) {
	for text, want := range map[string]bool{
		"CREATE TABLE `t` (\n  `a` int(11) DEFAULT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4":                       true,
		"CREATE TABLE `t` (\n  `connect` int(11) COMMENT 'the engine'\n) ENGINE=InnoDB":                                 true,
		"CREATE TABLE `t` (\n  `a` int(11)\n) ENGINE=FEDERATED CONNECTION='mysql://x'":                                  false,
		"CREATE TABLE `t` (\n  `a` int(11)\n) ENGINE=Connect":                                                           false,
		"CREATE TABLE `t` (\n  `a` int(11)\n) ENGINE=InnoDB\n PARTITION BY HASH (`a`)\n(PARTITION `p` ENGINE = SPIDER)": false,
		"CREATE TABLE `t` (\n  `a` int(11) COMMENT ') ENGINE=InnoDB'\n) ENGINE=SPHINX":                                  false,
		"CREATE TABLE `t` (\n  `a` int(11)\n)":                                                                          false,
		"CREATE TEMPORARY TABLE `t` (\n  `a` int(11)\n) ENGINE=InnoDB":                                                  false,
	} {
		assert.Equal(t, want, isPlainTable([]string{"t", text}), text)
	}
	const head = "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW "
	for text, want := range map[string]string{
		head + "`v` AS select 1":                 "select 1",
		head + "`d`.`v` (`a`,`b`) AS select 1,2": "select 1,2", // MySQL
		head + "`v` (`a` AS select f(1)":         "",
		head + "v AS select 1":                   "",
		head + "`v`":                             "",
		"CREATE VIEW `v` AS select 1":            "",
		"CREATE VIEW `v` AS select 1 SQL SECURITY DEFINER VIEW `v` AS select 2": "",
	} {
		assert.Equal(t, want, shownView([]string{"v", text, "utf8mb4", "utf8mb4_general_ci"}), text)
	}
}
