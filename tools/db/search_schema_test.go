package db

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/e2e/schemas"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
)

// oddNames has what a database could match otherwise than berth does.
const oddNames = `CREATE SCHEMA "a.b"; CREATE TABLE "a.b"."c.d" (id int, "e.f" int);
CREATE TABLE "100%" ("a_b" int, "aXb" int, "A_B" text DEFAULT 'x'); CREATE TABLE "STRASSE" ("straße" int, "ΣΊΣΥΦΟΣ" int, "ı" int, "İ" int, "` + "\u212A" + `" int);
CREATE TABLE "strange" ("back\slash" int, "quo""te" int, "it's" int, "*" int, "?" int, "[x]" int, "two` + "\u200b" + `" int, "tab	" int);
CREATE TABLE empty (); CREATE VIEW "Über%" AS SELECT 1 AS inside; CREATE SCHEMA other; CREATE TABLE other.strange (id serial PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY);
CREATE TYPE other.kind AS ENUM ('a'); CREATE DOMAIN other.text AS varchar(7); ALTER TABLE other.strange ADD k other.kind[], ADD t other.text DEFAULT 'a', ADD v interval day to second(3);
CREATE TABLE apart (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day); CREATE TABLE apart_1 PARTITION OF apart FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE refers (id int, day date, of int REFERENCES other.strange, FOREIGN KEY (id, day) REFERENCES apart, FOREIGN KEY (id, day) REFERENCES apart_1 (id, day)); COMMENT ON TABLE refers IS 'to a partition';
CREATE TABLE heir (own text) INHERITS (other.strange); CREATE SEQUENCE lonely;
ALTER TABLE refers DROP COLUMN of; ALTER TABLE refers ADD COLUMN of_other int REFERENCES other.strange; CREATE MATERIALIZED VIEW settled AS SELECT * FROM refers`

// oddMySQL is that for MySQL, whose own matching folds case and accents.
const oddMySQL = "CREATE TABLE `100%` (`a_b` int, `aXb` int, `C_B` text);;\nCREATE TABLE `straße` (`ΣΊΣΥΦΟΣ` int, `İ` int, `\u212A` int, `STRASSE` int);;\n" +
	"CREATE TABLE `strange` (`back\\slash` int, `quo``te` int, `it's` int, `*` int, `?` int, `j` json, `two\u200b` int);;\n" +
	"CREATE TABLE `resume` (a int);;\nCREATE TABLE `résumé` (b int);;\nCREATE VIEW `Über%` AS SELECT 1 AS inside;;\nCREATE TABLE `Up` (c int);;\nCREATE TABLE `up` (d int);;\n"

var searched = []string{"*", "?", "??", "%", "_", "a_b", "A_B", "a%b", "id", "ID", "iD*", "*_id", "order", "orders", "c.d", "a.b.", "a.b.c.d", "a.b.c.d.*", ".", "*.*", "*.id", "other.*",
	"other.strange.n", "OTHER.STRANGE", "public.refers", "ß", "ss", "Σ", "ς", "ı", "i", "İ", "k", "\u212A", `\`, `"`, "'", "[x]", "**", "*?*", "two", "\u200b", "tab\t", "über", "ÜBER%",
	"resume", "résumé", "up", "heir", "apart", "apart_1", "settled", "lonely", "empty", "strange", "refers", "note", "*created_at*", "nothing at all", strings.Repeat("x", 300), "'; DROP TABLE x; --"}

// Whatever is searched for, the reply is the one that the whole schema gives.
func TestASearchFindsWhatTheWholeSchemaHas(t *testing.T) {
	t.Parallel()
	fromFile := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	odd := postgresServed(t, oddNames)
	everything := postgresServed(t, fromFile("../../designer/postgres/testdata/everything.sql"))
	made := postgresServed(t, strings.Join(schemas.Make(schemas.Options{Dialect: "postgres", Seed: 5, Tables: 60}), ";\n"))
	madeMySQL := mysqlServed(t, strings.Join(schemas.Make(schemas.Options{Dialect: "mysql", Seed: 5, Tables: 40}), ";;\n")+";;\n")
	everythingMySQL := mysqlServed(t)
	conn, err := everythingMySQL.Owner.Conn(t.Context()) // the script has settings
	require.NoError(t, err)
	for _, statement := range mysql.SplitScript(fromFile("../../designer/mysql/testdata/everything.sql")) {
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, conn.Close())
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", strings.Join(schemas.Make(schemas.Options{Dialect: "sqlite", Seed: 5, Tables: 40}), ";\n"))
	for name, c := range map[string]testProject{"PostgreSQL, odd names": odd.connect(t, settings{}), "PostgreSQL, everything": everything.connect(t, settings{}),
		"PostgreSQL, made up": made.connect(t, settings{}), "MySQL, odd names": mysqlServed(t, oddMySQL).connect(t, settings{}),
		"MySQL, everything": everythingMySQL.connect(t, settings{}), "MySQL, made up": madeMySQL.connect(t, settings{}), "SQLite": connections(t, root, settings{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, d, err := c.Open(t.Context(), "")
			require.NoError(t, err)
			whole, err := d.Definition(t.Context())
			require.NoError(t, err)
			patterns := searched
			for i, table := range whole.Tables {
				if i%5 == 0 {
					patterns = append(patterns, table.Name)
				}
			}
			found := 0
			for _, pattern := range patterns {
				for detail := range searchDepths {
					s := &schemaSearch{pattern: pattern, detail: detail, dialect: d.Dialect(), defaultSchema: cfg.DefaultSchema()}
					s.search(whole)
					found += s.total
					got := c.call(t.Context(), "search-schema", args(map[string]any{"pattern": pattern, "detail": detail}))
					require.Equal(t, s.reply(), got, "%q in %s", pattern, detail)
				}
			}
			assert.Greater(t, found, 100)
		})
	}
}

// The names of all are read, and of one table alone the rest.
func TestASearchReadsFewOfTheSchemasBytes(t *testing.T) {
	for name, s := range map[string]served{
		"PostgreSQL": postgresServed(t, strings.Join(schemas.Make(schemas.Options{Dialect: "postgres", Seed: 5, Tables: 60}), ";\n")),
		"MySQL":      mysqlServed(t, strings.Join(schemas.Make(schemas.Options{Dialect: "mysql", Seed: 5, Tables: 60}), ";;\n")+";;\n")} {
		t.Run(name, func(t *testing.T) {
			s, counter := counted(t, s)
			c := s.connect(t, settings{})
			_, d, err := c.Open(t.Context(), "")
			require.NoError(t, err)
			whole, err := d.Definition(t.Context())
			require.NoError(t, err)
			all := counter.bytesOf(func() { _, err = d.Definition(t.Context()) })
			require.NoError(t, err)
			for detail := range searchDepths {
				n := counter.bytesOf(func() {
					r := c.call(t.Context(), "search-schema", args(map[string]any{"pattern": whole.Tables[20].Name, "detail": detail}))
					assert.False(t, r.IsError, r.Content)
				})
				t.Logf("%s: %d of %d bytes", detail, n, all)
				assert.Less(t, n, all/2, detail)
				assert.Positive(t, n, detail)
			}
		})
	}
}
