package sqlite_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqlite"
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
	edits, refused := designer.DecodeEdits(json.RawMessage(raw))
	require.Nil(t, refused)
	return edits
}
