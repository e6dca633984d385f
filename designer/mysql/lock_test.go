package mysql_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
)

// A server notices the end of a connection some time after it.
func TestAPublishWaitsForTheLockOfOneThatHasJustEnded(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY)")
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"b","dataType":"int","isNullable":true}}]`)
	other, err := db.Conn(t.Context())
	require.NoError(t, err)
	var taken int
	require.NoError(t, other.QueryRowContext(t.Context(), "SELECT GET_LOCK(CONCAT('berth publish ', SHA1(LOWER(DATABASE()))), 0)").Scan(&taken))
	require.Equal(t, 1, taken)
	time.AfterFunc(300*time.Millisecond, func() {
		_, err := other.ExecContext(context.Background(), "DO RELEASE_ALL_LOCKS()")
		assert.NoError(t, err)
		assert.NoError(t, other.Close())
	})
	require.NoError(t, mysql.Engine{}.Publish(t.Context(), db, plan, 0, nil))
}

func TestAPublishThatReturnsHoldsNoLock(t *testing.T) {
	db, dsn := enginetest.MySQL().New(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY)")
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"b","dataType":"int","isNullable":true}}]`)
	lingering := openAs(t, dsn, func(c *driver.Config) {
		c.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
			t.Cleanup(func() { _ = conn.Close() })
			return endless{conn}, err
		}
	})
	stop := errors.New("not now")
	stale := engine.WithGuard(t.Context(), designer.Guard{Ready: func(context.Context) error { return stop }})
	require.ErrorIs(t, mysql.Engine{}.Publish(stale, lingering, plan, 0, nil), stop)
	require.NoError(t, mysql.Engine{}.Locked(t.Context(), db))
	require.NoError(t, mysql.Engine{}.Publish(t.Context(), lingering, plan, 0, nil))
	require.NoError(t, mysql.Engine{}.Locked(t.Context(), db))
}

// endless is a connection of whose end the server does not hear.
type endless struct{ net.Conn }

func (e endless) Write(p []byte) (int, error) {
	const quit = "\x01\x00\x00\x00\x01"
	if string(p) == quit {
		return len(p), nil
	}
	return e.Conn.Write(p)
}

func (endless) Close() error { return nil }
