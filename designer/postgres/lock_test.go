package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server notices the end of a connection some time after it.
func TestAPublishWaitsForTheLockOfOneThatHasJustEnded(t *testing.T) {
	db := open(t, "CREATE TABLE a (id integer PRIMARY KEY)")
	plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"b","dataType":"integer","isNullable":true}}]`)
	_, err := db.Exec("ALTER TABLE a DROP COLUMN b") // change has made the plan
	require.NoError(t, err)
	other, err := db.Begin()
	require.NoError(t, err)
	require.NoError(t, lock(t.Context(), other))
	time.AfterFunc(300*time.Millisecond, func() { assert.NoError(t, other.Rollback()) })
	require.NoError(t, Engine{}.Publish(t.Context(), db, plan, 0, nil))
}
