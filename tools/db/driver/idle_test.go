package driver

import (
	"database/sql"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// meeting is a sink that takes no row before every query of the meeting has
// come as far.
type meeting struct {
	*rowset.Reply
	here func() // waits for the others
}

func (m meeting) Columns(names, types []string) error {
	m.here()
	return m.Reply.Columns(names, types)
}

// Callers who come at once find the connections of those before them: to open
// one costs many times what a short query does.
func TestConnectionsStayOpenForCallersWhoComeAtOnce(t *testing.T) {
	const callers = 8
	file := OpenSQLite(dbtest.SQLite(t, t.TempDir(), "app.db", "CREATE TABLE t (a)"), false, nil)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	server := postgresServed(t, "").connect(t)
	for name, d := range map[string]struct {
		Database
		pool *sql.DB
	}{"SQLite": {file, file.(*sqliteDatabase).queries.DB}, "PostgreSQL": {server, server.(*postgresDatabase).pool}} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				var running sync.WaitGroup
				var arrived atomic.Int32
				all := make(chan struct{})
				here := func() {
					if arrived.Add(1) == callers {
						close(all)
					}
					select {
					case <-all:
					case <-time.After(30 * time.Second):
						t.Error("they did not come together")
					}
				}
				for range callers {
					running.Go(func() { assert.NoError(t, d.Query(t.Context(), "SELECT 1", meeting{rowset.NewReply(1, 1000), here})) })
				}
				running.Wait()
			}
			stats := d.pool.Stats()
			assert.Equal(t, callers, stats.Idle)
			assert.Zero(t, stats.MaxIdleClosed, "closed because others were open")
		})
	}
}
