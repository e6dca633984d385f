package rosqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // makes the file
)

func TestLongStatementsTakeTurnsAndEndAllTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	writer, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = writer.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY)")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	turns := &Turns{places: make(chan struct{}, 1)}
	pool := sql.OpenDB(NewConnector(path, Options{Turns: turns}))
	t.Cleanup(func() { _ = pool.Close() })

	const long = "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d LIMIT 500000) SELECT count(*) FROM d"
	var statements sync.WaitGroup
	for range 4 {
		statements.Go(func() {
			var n int
			assert.NoError(t, pool.QueryRowContext(t.Context(), long).Scan(&n))
			assert.Equal(t, 500000, n)
		})
	}
	statements.Wait()
	assert.Empty(t, turns.places, "every turn is given back")

	turns.places <- struct{}{} // somebody else's
	var one int
	require.NoError(t, pool.QueryRowContext(t.Context(), "SELECT 1").Scan(&one), "a short statement needs no turn")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var n int
	err = pool.QueryRowContext(ctx, long+" WHERE n > 0").Scan(&n)
	assert.ErrorIs(t, err, context.DeadlineExceeded, "a statement that waits for its turn is ended like any other")
	<-turns.places
	require.NoError(t, pool.QueryRowContext(t.Context(), long).Scan(&n))
	assert.Empty(t, turns.places)
}
