package mysql_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

var update = flag.Bool("update", false, "rewrite the expected definitions")

// load runs a script on one connection.
func load(t testing.TB, db *sql.DB, script string) {
	t.Helper()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	for _, s := range mysql.SplitScript(script) {
		_, err := conn.ExecContext(context.Background(), s)
		require.NoError(t, err, s)
	}
	_, err = conn.ExecContext(context.Background(), "SET sql_mode = DEFAULT")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}

func read(t testing.TB, db *sql.DB) designer.Definition {
	t.Helper()
	def, err := mysql.Inspect(context.Background(), db)
	require.NoError(t, err)
	return def
}

func TestInspectReadsEverythingAScriptSays(t *testing.T) {
	db := newDatabase(t)
	load(t, db, fixture(t, "everything.sql"))
	def := read(t, db)
	got, err := json.MarshalIndent(def, "", "\t")
	require.NoError(t, err)
	got = append(got, '\n')
	if *update {
		require.NoError(t, os.WriteFile("testdata/everything.json", got, 0o644))
	}
	assert.Equal(t, fixture(t, "everything.json"), string(got))

	schema := build(t, def)
	assert.Equal(t, schema.Version(), build(t, schema.Definition()).Version())
}
