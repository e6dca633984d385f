package sqlite

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// build reads the schema of a script.
func build(t testing.TB, script string) *designer.Schema {
	t.Helper()
	def, err := Inspect(context.Background(), open(t, script))
	require.NoError(t, err)
	s, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

func TestAScriptMakesTheSameDatabase(t *testing.T) {
	scripts := map[string]string{"everything": "testdata/everything.sql"}
	if dir := os.Getenv("BERTH_TEST_DATA"); dir != "" {
		scripts["Chinook"] = filepath.Join(dir, "chinook", "Chinook_Sqlite_AutoIncrementPKs.sql")
	}
	for name, path := range scripts {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			want := build(t, string(text))
			plan, err := Engine{}.Script(want)
			require.NoError(t, err)
			assert.Empty(t, plan.Notes)
			got := build(t, plan.Script())
			assert.Equal(t, want.Definition(), got.Definition(), "as one text")
			assert.Equal(t, want.Version(), got.Version())

			db := open(t, "")
			for _, s := range plan.Steps {
				_, err := db.Exec(s.Statement)
				require.NoError(t, err, s.Statement)
			}
			def, err := Inspect(context.Background(), db)
			require.NoError(t, err)
			byStep, err := designer.Build(Dialect(), def, nil)
			require.NoError(t, err)
			assert.Equal(t, want.Definition(), byStep.Definition(), "step by step")
			for i := len(plan.Steps) - 1; i >= 0; i-- {
				_, err := db.Exec(plan.Steps[i].Reverse)
				require.NoError(t, err, plan.Steps[i].Reverse)
			}
			def, err = Inspect(context.Background(), db)
			require.NoError(t, err)
			assert.Empty(t, def.Tables, "every step is taken back")
			assert.Empty(t, def.Views)
			assert.Empty(t, def.Objects)
		})
	}
}

func TestAScriptReadsWell(t *testing.T) {
	plan, err := Engine{}.Script(build(t, chinookTables))
	require.NoError(t, err)
	assert.Equal(t, `-- Create table Album
CREATE TABLE Album (
  AlbumId INTEGER PRIMARY KEY AUTOINCREMENT,
  Title NVARCHAR(160) NOT NULL,
  ArtistId INTEGER NOT NULL,
  FOREIGN KEY (ArtistId) REFERENCES Artist (ArtistId)
);

-- Create table Artist
CREATE TABLE Artist (
  ArtistId INTEGER PRIMARY KEY AUTOINCREMENT,
  Name NVARCHAR(120)
);

-- Create index IFK_AlbumArtistId on Album
CREATE INDEX IFK_AlbumArtistId ON Album (ArtistId);
`, plan.Script())
}

func TestWhatSQLiteCannotMakeIsRefused(t *testing.T) {
	id := designer.Column{Name: "id", DataType: "INTEGER", IsIdentity: true, IdentitySeed: 100, IdentityIncrement: 1}
	for want, table := range map[string]designer.TableDefinition{
		"table main.t: it has no columns: add one, or drop the table":                                {Name: "t"},
		"table dbo.t: SQLite has the schema main only: move the table there":                         {Schema: "dbo", Name: "t"},
		"table main.t: column id: SQLite numbers from 1 in steps of 1: leave seed and increment out": {Name: "t", Columns: []designer.Column{id}, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}},
		"table main.t: column e: SQLite has no enumerated types: use TEXT with a check":              {Name: "t", Columns: []designer.Column{{Name: "e", DataType: "TEXT", Values: []string{"a"}}}},
		"table main.t: index i: SQLite has neither included columns nor methods, operator classes, lengths or places for nulls: leave them out": {Name: "t",
			Columns: []designer.Column{{Name: "a"}}, Indexes: []designer.IndexDefinition{{Name: "i", Method: "gin", Parts: []designer.IndexKeyDefinition{{Column: "a"}}}}},
	} {
		s, err := designer.Build(Dialect(), designer.Definition{Tables: []designer.TableDefinition{table}}, nil)
		require.NoError(t, err)
		_, err = Engine{}.Script(s)
		var refused *designer.PlanError
		require.ErrorAs(t, err, &refused)
		assert.EqualError(t, err, want)
	}
}

func TestAScriptSaysWhatItLeavesOut(t *testing.T) {
	s, err := designer.Build(Dialect(), designer.Definition{
		Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{{Name: "a", DataType: "TEXT", Comment: "the first"}}}},
		Views:  []designer.View{{Name: "v"}},
	}, nil)
	require.NoError(t, err)
	plan, err := Engine{}.Script(s)
	require.NoError(t, err)
	assert.Equal(t, []string{"The text of view v is not known: it is left out.",
		"SQLite keeps no comments: those of table t stay in the design."}, plan.Notes)
	assert.Len(t, plan.Steps, 1)
}

func TestWhatIsReadIsSettled(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.sql")
	require.NoError(t, err)
	for _, table := range build(t, string(text)).Tables() {
		body, err := json.Marshal(table)
		require.NoError(t, err)
		var settled designer.Table
		require.NoError(t, json.Unmarshal(body, &settled))
		settle(&settled)
		assert.Equal(t, table, &settled)
	}
}
