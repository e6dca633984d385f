package readonly

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// Names of the server's own functions are not looked up: whatever somebody
// made, the server means its own.
func TestTheServersOwnFunctionsAreMeantWhereTheyAreNotLookedUp(t *testing.T) {
	admin, _ := enginetest.MySQL().New(t)
	stored := func(call string) bool {
		var result sql.NullString
		_ = admin.QueryRow("SELECT " + call).Scan(&result) // an error is the server's function's too
		return result.String == "stored"
	}
	var database string
	require.NoError(t, admin.QueryRow("SELECT DATABASE()").Scan(&database))
	words := NewMySQLWords()
	for name := range words.own {
		assert.True(t, words.computes[name], name)
		_, err := admin.Exec("CREATE FUNCTION `" + name + "` (a INT) RETURNS VARCHAR(9) RETURN 'stored'")
		require.NoError(t, err, name)
		assert.False(t, stored(name+"(1)"), name)
		assert.False(t, stored(strings.ToLower(name)+"( /* c */ 1 )"), name)
		assert.True(t, stored("`"+database+"`.`"+name+"`(1)"), "the function is there: %s", name)
	}
	assert.True(t, stored("COUNT (1)"), "with a space it is the other one")

	asked := func(query string) bool {
		m, refusal := ParseMySQL(query, false)
		require.Nil(t, refusal, query)
		questions := askedTexts{}
		_ = NewMySQLReach(questions, "app", words, &MySQLMemory{}).Query(t.Context(), m) // what it is is not known
		for text := range questions {
			if strings.Contains(text, "SHOW CREATE FUNCTION") {
				return true
			}
		}
		return false
	}
	assert.False(t, asked("SELECT COUNT(1), upper('a')"))
	for _, call := range []string{"COUNT (1)", "COUNT/**/(1)", "`COUNT`(1)", "app.COUNT(1)", "app . COUNT(1)", "COUNT\n(1)", "something(1)", "YEAR(1)"} {
		assert.True(t, asked("SELECT "+call), call)
	}
}

// A name is not asked for only where the server's grammar has no table.
func TestNamesThatCanBeTablesAreLookedUp(t *testing.T) {
	const table, column = "tab", "col"
	for _, query := range []string{
		"SELECT col, col, f(col, col), (col), (SELECT col, col FROM tab, tab) FROM tab, tab WHERE (col, col) IN (SELECT col, col FROM (tab, tab) WHERE col IN (col, col))",
		"SELECT 1 FROM (tab JOIN tab), (SELECT col, col FROM tab WHERE col = 1) x, tab",
		"SELECT col FROM tab WHERE col = 1 UNION SELECT col, col FROM tab, (tab, tab) WHERE col IN (TABLE tab) HAVING (col, col) = (1, 2)",
		"SELECT TRIM(LEADING 'x' FROM 'y'), 1 FROM tab, tab",
		"WITH x AS (SELECT col, col FROM tab WHERE (col)), y AS (SELECT 1 FROM tab, tab) SELECT col, (col) FROM x, tab",
		"SELECT 1 FROM tab WHERE EXISTS (SELECT 1 FROM tab, tab) UNION ALL (SELECT 1 FROM tab, tab)",
		"SELECT t.`from`, col, x.select, col FROM tab t, tab x",
		"SELECT `from`, col, (col) FROM tab",
	} {
		m, refusal := ParseMySQL(query, false)
		require.Nil(t, refusal, query)
		n := 0
		for i := range m.tokens { // each alone, since a name is asked for once
			named := append(m.tokens[:i:i], m.tokens[i:]...)
			if !named[i].Is(table) && !named[i].Is(column) {
				continue
			}
			n++
			named[i].Text, named[i].Name = "this", "this"
			names, err := NewMySQLReach(nil, "app", NewMySQLWords(), &MySQLMemory{}).tableNames(sourceMySQL{tokens: named, database: "app"})
			require.NoError(t, err)
			found := false
			for _, name := range names {
				found = found || name.name == "this"
			}
			assert.Equal(t, m.tokens[i].Is(table), found, "%s: at byte %d", query, m.tokens[i].Pos)
		}
		assert.Positive(t, n)
	}
}
