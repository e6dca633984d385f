package db

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
)

func TestASourceNamesItsDatabaseAsTheContractDoes(t *testing.T) {
	c := connections(t, t.TempDir(), Options{Connections: []Config{
		{Name: "lite", Path: "data/a.db"},
		{Name: "pg", Dialect: "postgres", Address: dial.Address{Host: "db.example", Port: 5433, Database: "shop"}},
		{Name: "pgschema", Dialect: "postgres", Address: dial.Address{Database: "shop", Params: map[string]string{"search_path": "App, public"}}},
		{Name: "pguser", Dialect: "postgres", Address: dial.Address{Database: "shop", Params: map[string]string{"search_path": `"$user", public`}}},
		{Name: "my", Dialect: "mysql", Address: dial.Address{Database: "Shop"}},
		{Name: "ms", Dialect: "mssql", Address: dial.Address{Host: "h", Database: "shop"}},
		{Name: "named", Dialect: "mssql", Address: dial.Address{Host: "h", Instance: "EXPRESS", Database: "shop"}},
	}})
	for name, want := range map[string]struct {
		target designer.Target
		schema string
	}{
		"lite":     {designer.Target{Server: "sqlite", Database: "data/a.db"}, "main"},
		"pg":       {designer.Target{Server: "db.example:5433", Database: "shop"}, "public"},
		"pgschema": {designer.Target{Server: "127.0.0.1:5432", Database: "shop"}, "app"},
		"pguser":   {designer.Target{Server: "127.0.0.1:5432", Database: "shop"}, "public"},
		"my":       {designer.Target{Server: "127.0.0.1:3306", Database: "Shop"}, "Shop"},
		"ms":       {designer.Target{Server: "h:1433", Database: "shop"}, "dbo"},
		"named":    {designer.Target{Server: `h\EXPRESS`, Database: "shop"}, "dbo"},
	} {
		s, err := c.Source(t.Context(), name)
		require.NoError(t, err)
		assert.Equal(t, want.target, s.Target(), name)
		assert.Equal(t, want.schema, s.DefaultSchema(), name)
	}
}

func TestASourceWritesThroughAPoolOfItsOwn(t *testing.T) {
	root := t.TempDir()
	path := writeDB(t, root, "a %3f.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{Connections: []Config{{Name: "a", Path: path}, {Name: "ro", Path: path, ReadOnly: true}}})
	insert := func(name string) error {
		s, err := c.Source(t.Context(), name)
		require.NoError(t, err)
		return s.write(t.Context(), func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
			assert.Equal(t, "sqlite", e.Dialect().Name)
			_, err := pool.ExecContext(ctx, "INSERT INTO t VALUES (1)")
			return err
		})
	}
	require.NoError(t, insert("a"))
	r := c.call(t.Context(), "run-query", `{"query":"SELECT count(*) AS n FROM t","connection":"ro"}`)
	assert.Contains(t, r.Content[0], `"rows":[[1]]`, "both see one file")
	var connect *dial.ConnectError
	require.ErrorAs(t, insert("ro"), &connect)
	assert.Equal(t, "ro", connect.Connection)
	require.NoError(t, c.Close())
	require.ErrorIs(t, insert("a"), driver.ErrClosed)
}

func TestAFileThatAKilledWriterLeftIsRolledBackWhenTheDesignerReadsIt(t *testing.T) {
	root := t.TempDir()
	leaveUnfinished(t, writeDB(t, root, "busy.db", "CREATE TABLE t (a); INSERT INTO t VALUES ('kept')"), filepath.Join(root, "a.db"))
	c := connections(t, root, Options{Connections: []Config{{Name: "a", Path: "a.db"}, {Name: "ro", Path: "a.db", ReadOnly: true}}})
	r := c.call(t.Context(), "run-query", `{"query":"SELECT a FROM t","connection":"a"}`)
	assert.True(t, r.IsError, "a query never writes: %s", r.Content[0])

	readOnly, err := c.Source(t.Context(), "ro")
	require.NoError(t, err)
	_, err = readOnly.Read(t.Context())
	require.ErrorContains(t, err, "did not finish")

	s, err := c.Source(t.Context(), "a")
	require.NoError(t, err)
	def, err := s.Read(t.Context())
	require.NoError(t, err)
	require.Len(t, def.Tables, 1, "what was begun is taken back")
	assert.Equal(t, "t", def.Tables[0].Name)
	r = c.call(t.Context(), "run-query", `{"query":"SELECT a FROM t","connection":"a"}`)
	assert.Contains(t, r.Content[0], `"rows":[["kept"]]`)
}

// leaveUnfinished copies the database at busy, in the middle of a transaction
// whose pages are partly written, to path: as if its writer had been killed.
func leaveUnfinished(t *testing.T, busy, path string) {
	t.Helper()
	writer, err := sql.Open("sqlite", busy)
	require.NoError(t, err)
	writer.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "CREATE TABLE begun (b)", "UPDATE t SET a = 'lost'",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO begun SELECT printf('%0500d', i) FROM n"} {
		_, err := writer.Exec(statement)
		require.NoError(t, err, statement)
	}
	for _, suffix := range []string{"", "-journal"} {
		raw, err := os.ReadFile(busy + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path+suffix, raw, 0o600))
	}
	require.NoError(t, writer.Close())
	require.NoError(t, os.Remove(busy))
}

func TestClosingEndsAWriteAndWaitsForIt(t *testing.T) {
	root := t.TempDir()
	writeDB(t, root, "a.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{})
	s, err := c.Source(t.Context(), "")
	require.NoError(t, err)
	begun, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.write(t.Context(), func(ctx context.Context, _ engine.Engine, _ *sql.DB) error {
			close(begun)
			<-ctx.Done()
			return errors.New("interrupted")
		})
	}()
	<-begun
	require.NoError(t, c.Close())
	require.ErrorIs(t, <-ended, driver.ErrClosed)
}
