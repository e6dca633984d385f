package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What SQLite could not create is refused while it is designed.
func TestDesignsThatSQLiteCannotCreateAreRefused(t *testing.T) {
	const id = `{"name":"id","dataType":"INTEGER","isPrimaryKey":true,"isIdentity":true}`
	for name, c := range map[string]struct{ edit, message string }{
		"a table named like the engine's own": {
			`{"op":"add_table","table":{"name":"SQLite_x"}}`,
			"Table name 'SQLite_x' begins with 'sqlite_', which SQLite keeps for itself: choose another"},
		"an index named like the engine's own": {
			`{"op":"add_index","table":{"name":"t"},"index":{"name":"sqlite_i","columns":["n"]}}`,
			"Index name 'sqlite_i' begins with 'sqlite_', which SQLite keeps for itself: choose another"},
		"an identity beside the key": {
			`{"op":"set_column","table":{"name":"t"},"column":{"name":"n"},"set":{"isIdentity":true}}`,
			"Column 'n' is an identity column: on SQLite it has to be the primary key, alone"},
		"an identity in a composite key": {
			`{"op":"add_table","table":{"name":"u"},"initialColumns":[` + id + `,{"name":"b","dataType":"INTEGER","isPrimaryKey":true}]}`,
			"Column 'id' is an identity column: on SQLite it has to be the primary key, alone"},
		"a second key column beside an identity": {
			`{"op":"add_column","table":{"name":"v"},"column":{"name":"b","dataType":"INTEGER","isPrimaryKey":true}}`,
			"Column 'id' is an identity column: on SQLite it has to be the primary key, alone"},
		"a name with its schema": {
			`{"op":"add_table","table":{"name":"main.orders"}}`,
			"Table name 'main.orders' holds the schema: give schema 'main' and name 'orders' apart"},
		"a reference with its schema": {
			`{"op":"drop_table","table":{"name":"main.t"}}`,
			"Table 'main.t' not found: give schema 'main' and name 't' apart"},
	} {
		t.Run(name, func(t *testing.T) {
			s := designer.New(sqlite.Dialect(), &designer.Options{DefaultSchema: sqlite.DefaultSchema})
			for _, e := range decode(t, `[{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"n","dataType":"INTEGER"}]},
				{"op":"add_table","table":{"name":"v"},"initialColumns":[`+id+`]}]`) {
				_, refused := s.Apply(e)
				require.Nil(t, refused)
			}
			version := s.Version()
			_, refused := s.Apply(decode(t, "["+c.edit+"]")[0])
			require.NotNil(t, refused)
			assert.Equal(t, c.message, refused.Message)
			assert.Equal(t, version, s.Version())
			assert.NoError(t, s.Check())
		})
	}
}

func decode(t *testing.T, raw string) []designer.Edit {
	t.Helper()
	list, refused := edits.Decode(json.RawMessage(raw))
	require.Nil(t, refused)
	return list
}

// What an edit leaves without meaning is left out, so that the next read of
// the database finds what was designed.
func TestAnEditTakesItsOptionsAlong(t *testing.T) {
	for name, c := range map[string]struct{ create, edits, want string }{
		"the order and collation of a key that is left": {
			"CREATE TABLE t (a TEXT, b TEXT, PRIMARY KEY (a DESC, b COLLATE NOCASE))",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"isPrimaryKey":false}},
				{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"isPrimaryKey":false}}]`,
			"CREATE TABLE t (a TEXT, b TEXT)"},
		"the conflict resolution of what may be null": {
			"CREATE TABLE t (a TEXT NOT NULL ON CONFLICT IGNORE)",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"isNullable":true}}]`,
			"CREATE TABLE t (a TEXT)"},
		"a key that becomes the rowid": {
			"CREATE TABLE t (a INT, PRIMARY KEY (a COLLATE NOCASE))",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"INTEGER"}}]`,
			"CREATE TABLE t (a INTEGER PRIMARY KEY)"},
		"an index that now has the column's collation": {
			"CREATE TABLE t (a TEXT); CREATE INDEX i ON t (a COLLATE NOCASE)",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"collation":"NOCASE"}}]`,
			"CREATE TABLE t (a TEXT COLLATE NOCASE); CREATE INDEX i ON t (a)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, c.create)
			for _, e := range decode(t, c.edits) {
				_, refused := s.Apply(e)
				require.Nil(t, refused)
			}
			assert.Equal(t, read(t, c.want).Definition(), s.Definition())
		})
	}
}

func TestAnImportIsSettledToo(t *testing.T) {
	s := read(t, "CREATE TABLE t (a TEXT)")
	_, refused := s.Import(designer.Definition{Tables: []designer.TableDefinition{{Name: "u", Comment: "from elsewhere",
		Columns:    []designer.Column{{Name: "id", DataType: "INTEGER", IsNullable: true, Comment: "the key"}, {Name: "a", DataType: "TEXT"}},
		PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}}}}, false)
	require.Nil(t, refused)
	assert.Equal(t, read(t, "CREATE TABLE t (a TEXT); CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT NOT NULL)").Definition(), s.Definition())
	require.NoError(t, s.Check())
}

// read builds the schema of a script.
func read(t *testing.T, script string) *designer.Schema {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "read.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Exec(script)
	require.NoError(t, err)
	def, err := sqlite.Inspect(context.Background(), db)
	require.NoError(t, err)
	s, err := designer.Build(sqlite.Dialect(), def, &designer.Options{DefaultSchema: sqlite.DefaultSchema})
	require.NoError(t, err)
	return s
}
