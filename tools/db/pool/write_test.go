package pool

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
)

func TestWritesHaveAPoolOfTheirOwn(t *testing.T) {
	root := t.TempDir()
	path := dbtest.SQLite(t, root, "a %3f.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{Connections: []Config{{Name: "a", Path: path}, {Name: "ro", Path: path, ReadOnly: true}}})
	insert := func(name string) error {
		cfg, err := c.Pick(t.Context(), name)
		require.NoError(t, err)
		return c.Write(t.Context(), cfg, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
			assert.Equal(t, "sqlite", e.Dialect().Name)
			_, err := pool.ExecContext(ctx, "INSERT INTO t VALUES (1)")
			return err
		})
	}
	require.NoError(t, insert("a"))
	assert.Contains(t, ask(t, c, "ro", "SELECT count(*) AS n FROM t"), `"rows":[[1]]`, "both see one file")
	var connect *dial.ConnectError
	require.ErrorAs(t, insert("ro"), &connect)
	assert.Equal(t, "ro", connect.Connection)
	require.NoError(t, c.Close())
	require.ErrorIs(t, insert("a"), driver.ErrClosed)
}

func TestClosingEndsAWriteAndWaitsForIt(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "a.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{})
	cfg, err := c.Pick(t.Context(), "")
	require.NoError(t, err)
	begun, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- c.Write(t.Context(), cfg, func(ctx context.Context, _ engine.Engine, _ *sql.DB) error {
			close(begun)
			<-ctx.Done()
			return errors.New("interrupted")
		})
	}()
	<-begun
	require.NoError(t, c.Close())
	require.ErrorIs(t, <-ended, driver.ErrClosed)
}
