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
}

func TestInspectReadsAnEmptyDatabase(t *testing.T) {
	def, err := Inspect(context.Background(), open(t, ""))
	require.NoError(t, err)
	assert.Equal(t, designer.Definition{Schemas: []string{"main"}, Tables: []designer.TableDefinition{}}, def)
}
