package readonly

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// The short question that is asked first has every name of which the long one
// has something to say, and not those of plain tables.
func TestNoRelationThatRunsSomethingPassesForAPlainTable(t *testing.T) {
	db, _ := enginetest.Postgres().New(t)
	for _, statement := range []string{
		`CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1'`, `CREATE FUNCTION g(int, int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 < $2'`,
		`CREATE OPERATOR <<< (LEFTARG = int, RIGHTARG = int, FUNCTION = g)`,
		`CREATE TABLE plain (id int PRIMARY KEY, a int REFERENCES plain, s text)`,
		`CREATE TABLE plain_indexed (a int, s text); CREATE INDEX ON plain_indexed (lower(s)); CREATE INDEX ON plain_indexed (a) WHERE a > 0`,
		`CREATE TABLE plain_checked (a int CHECK (a > 0))`, `CREATE TABLE plain_statistics (a int, b int); CREATE STATISTICS s ON a, b FROM plain_statistics`,
		`CREATE VIEW v AS SELECT f(a) AS a FROM plain`, `CREATE MATERIALIZED VIEW m AS SELECT a FROM v`, `CREATE VIEW over_m AS SELECT * FROM m`,
		`CREATE TABLE ruled (a int); CREATE RULE r AS ON INSERT TO ruled DO ALSO SELECT * FROM v`,
		`CREATE TABLE secured (a int); ALTER TABLE secured ENABLE ROW LEVEL SECURITY; ALTER TABLE secured FORCE ROW LEVEL SECURITY; CREATE POLICY p ON secured USING (f(a) > 0)`,
		`CREATE TABLE indexed (a int); CREATE INDEX ON indexed (f(a))`, `CREATE TABLE partly (a int); CREATE INDEX ON partly (a) WHERE a <<< 7`,
		`CREATE TABLE checked (a int CHECK (f(a) > 0))`, `CREATE TABLE counted (a int, b int); CREATE STATISTICS z ON f(a), b FROM counted`,
		`CREATE TABLE parts (a int CHECK (f(a) > 0)) PARTITION BY LIST (f(a)); CREATE TABLE part PARTITION OF parts FOR VALUES IN (1)`,
		`CREATE TABLE base (a int); CREATE TABLE heir (b int) INHERITS (base); CREATE INDEX ON heir (f(b))`,
		`CREATE FOREIGN DATA WRAPPER w; CREATE SERVER other FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE away (a int) SERVER other`,
		`CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.plain_here (a int CHECK (f(a) > 0)); CREATE TABLE plain_here (a int)`,
	} {
		_, err := db.Exec(statement)
		require.NoError(t, err, statement)
	}
	texts := func(query string, args ...any) (all []string) {
		rows, err := db.QueryContext(t.Context(), query, args...)
		require.NoError(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(sql.NullString)
			}
			require.NoError(t, rows.Scan(values...))
			all = append(all, values[0].(*sql.NullString).String)
		}
		require.NoError(t, rows.Err())
		return all
	}
	var short, long []string
	for _, name := range texts(`SELECT relname FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`) {
		if len(texts(notPlainPostgres, TextArray([]string{name}))) > 0 {
			short = append(short, name)
		}
		if len(texts(relationsPostgres, "{0}", TextArray([]string{name}), "{t}")) > 0 {
			long = append(long, name)
			assert.Contains(t, short, name)
		}
	}
	for _, name := range []string{"v", "over_m", "secured", "indexed", "partly", "checked", "counted", "parts", "part", "base", "heir", "away", "plain_here"} {
		assert.Contains(t, long, name)
	}
	for _, name := range []string{"plain", "plain_indexed", "plain_checked", "plain_statistics"} {
		assert.NotContains(t, short, name)
	}
}
