package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/berth-dev/berth/designer"
)

var update = flag.Bool("update", false, "rewrite the expected definitions")

// open makes a database file of a script.
func open(t testing.TB, script string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "test.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	_, err = db.Exec(script)
	require.NoError(t, err)
	return db
}

func TestInspectReadsEverythingAScriptSays(t *testing.T) {
	script, err := os.ReadFile("testdata/everything.sql")
	require.NoError(t, err)
	def, err := Inspect(context.Background(), open(t, string(script)))
	require.NoError(t, err)
	got, err := json.MarshalIndent(def, "", "\t")
	require.NoError(t, err)
	got = append(got, '\n')
	if *update {
		require.NoError(t, os.WriteFile("testdata/everything.json", got, 0o644))
	}
	want, err := os.ReadFile("testdata/everything.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))

	schema, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err, "the designer takes what is read")
	require.NoError(t, schema.Check())
	again, err := designer.Build(Dialect(), schema.Definition(), &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	assert.Equal(t, schema.Version(), again.Version())
}

func TestReadingTwiceGivesTheSameVersion(t *testing.T) {
	script, err := os.ReadFile("testdata/everything.sql")
	require.NoError(t, err)
	versions := map[string]bool{}
	for range 2 {
		def, err := Inspect(context.Background(), open(t, string(script)))
		require.NoError(t, err)
		schema, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
		require.NoError(t, err)
		versions[schema.Version()] = true
	}
	assert.Len(t, versions, 1)
}

func TestATableThatCannotBeReadIsNamedAndLeavesTheOthers(t *testing.T) {
	for _, tt := range []struct{ name, forge string }{
		{"another column", "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, c)' WHERE name = 't'"},
		{"text that is no statement", "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, b) nonsense' WHERE name = 't'"},
		{"a column without a name", `DROP TABLE t; CREATE TABLE t (a, "" text)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := open(t, "CREATE TABLE t (a, b); CREATE TABLE other (id INTEGER PRIMARY KEY, a REFERENCES t (a))")
			db.SetMaxOpenConns(1) // which keeps the schema it has read
			_, err := Inspect(context.Background(), db)
			require.NoError(t, err)
			_, err = db.Exec("PRAGMA writable_schema = 1; " + tt.forge)
			require.NoError(t, err)
			def, err := Inspect(context.Background(), db)
			require.NoError(t, err)
			require.Len(t, def.Tables, 1)
			require.Len(t, def.Views, 1)
			assert.Equal(t, "t", def.Views[0].Name)
			assert.NotEmpty(t, def.Views[0].Options[designer.OptionUnreadable])
			s, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
			require.NoError(t, err)
			plan, err := Engine{}.Script(s)
			require.NoError(t, err)
			require.NotEmpty(t, plan.Notes)
			assert.Contains(t, plan.Notes[0], "Table t is left out, as it could not be read: ")
		})
	}
}

func TestATableIsChangedBesideOneThatCannotBeRead(t *testing.T) {
	db := open(t, `CREATE TABLE t (a REFERENCES other (id), "" text); CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER); CREATE VIEW v AS SELECT n FROM other;
		INSERT INTO other VALUES (1, 2); INSERT INTO t VALUES (1, 'x')`)
	read := func() designer.Definition {
		def, err := Inspect(t.Context(), db)
		require.NoError(t, err)
		return def
	}
	was, err := designer.Build(Dialect(), read(), &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	changed := read()
	changed.Tables[0].Columns[1].DataType = "TEXT"
	is, err := was.Adopt(changed)
	require.NoError(t, err)
	plan, err := Engine{}.Plan(designer.DiffOf(was, is))
	require.NoError(t, err)
	require.NoError(t, Engine{}.Verify(t.Context(), db, plan, nil))
	require.NoError(t, Engine{}.Publish(t.Context(), db, plan, 0, nil))
	after := read()
	assert.Equal(t, "TEXT", after.Tables[0].Columns[1].DataType)
	var rows int
	require.NoError(t, db.QueryRow("SELECT count(*) FROM t JOIN other ON a = id").Scan(&rows))
	assert.Equal(t, 1, rows)
}

func TestInspectReadsAnEmptyDatabase(t *testing.T) {
	def, err := Inspect(context.Background(), open(t, ""))
	require.NoError(t, err)
	assert.Equal(t, designer.Definition{Schemas: []string{"main"}, Tables: []designer.TableDefinition{}}, def)
}
