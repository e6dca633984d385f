package mysql_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
