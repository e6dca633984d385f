package enginetest

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// PublishBehindALock publishes a plan while a transaction that has read a
// table stays open for four seconds, and others read the table all the time.
// It returns the longest that one of those others had to wait. read is the
// query of them all.
func PublishBehindALock(t testing.TB, e engine.Engine, db *sql.DB, plan designer.Plan, read string) (longest time.Duration, err error) {
	t.Helper()
	holder, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = holder.Exec(read)
	require.NoError(t, err)
	release := time.AfterFunc(4*time.Second, func() { _ = holder.Rollback() }) // its error shows in what waits for it
	defer release.Stop()
	published := make(chan error, 1)
	go func() { published <- e.Publish(t.Context(), db, plan, 0, nil) }()
	for {
		began := time.Now()
		_, err := db.ExecContext(t.Context(), read)
		require.NoError(t, err)
		longest = max(longest, time.Since(began))
		select {
		case err := <-published:
			return longest, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}
