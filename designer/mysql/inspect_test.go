package mysql_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"os"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/merge"
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

// MariaDB ends a connection that reads the information schema while others drop
// databases, in the middle of its answer. What only reads asks once more, on
// another connection, and then gives up.
func TestAConnectionThatTheServerEndsIsAskedOnceMore(t *testing.T) {
	direct, dsn := enginetest.MySQL().New(t)
	load(t, direct, "CREATE TABLE a (id int PRIMARY KEY); CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET NEW.id = 1;")
	want := read(t, direct)
	config, err := driver.ParseDSN(dsn)
	require.NoError(t, err)
	cutter := enginetest.NewCutter(t, config.Addr)
	db := openAs(t, dsn, func(c *driver.Config) { c.Addr = cutter.Addr; c.Logger = &driver.NopLogger{} })
	_, _, addsColumn := change(t, direct, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}}]`)
	for text, ask := range map[string]func() error{
		"information_schema.TRIGGERS": func() error {
			def, err := mysql.Inspect(t.Context(), db)
			if err == nil {
				assert.Equal(t, want, def)
			}
			return err
		},
		"information_schema.ROUTINES": func() error {
			return mysql.Engine{}.Verify(t.Context(), db, addsColumn, nil)
		},
		"information_schema.TABLES": func() error {
			_, err := mysql.Engine{}.Mark(t.Context(), db)
			return err
		},
		"SHOW GLOBAL STATUS": func() error {
			_, err := mysql.Engine{}.Mark(t.Context(), db)
			return err
		},
	} {
		cutter.CutAt(text, 1)
		assert.NoError(t, ask(), text)
		assert.Equal(t, 1, cutter.Cuts())
		cutter.CutAt(text, 9)
		assert.ErrorIs(t, ask(), driver.ErrInvalidConn, text)
		assert.Equal(t, 2, cutter.Cuts(), "once more, and no more")
		cutter.CutAt("", 0)
	}
}

// The server keeps no number of a column: one that is gone and one that is new
// and like it may be one.
func TestAPossibleRenameIsNamedInTheConflict(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE users (id int PRIMARY KEY, nickname varchar(20), n int);")
	base := build(t, read(t, db))
	design, err := designer.Restore(base.Dialect(), base.Tables(), &designer.Options{DefaultSchema: base.DefaultSchema(), Catalog: base.Catalog()})
	require.NoError(t, err)
	apply(t, design, `[{"op":"set_column","table":{"name":"users"},"column":{"name":"nickname"},"set":{"name":"nick"}}]`)
	exec(t, db, "ALTER TABLE users RENAME COLUMN nickname TO nn, ADD COLUMN m int")
	said := func() string {
		m, err := merge.Definition(base, design, read(t, db), nil)
		require.NoError(t, err)
		require.Len(t, m.Conflicts, 1)
		return m.Conflicts[0].What + ": " + m.Conflicts[0].Database
	}
	assert.Equal(t, "dropped in the database, changed in the design: possibly renamed to nn", said())
	exec(t, db, "ALTER TABLE users ADD COLUMN other varchar(20)")
	assert.Equal(t, "dropped in the database, changed in the design: ", said(), "two are like it")
}
