package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/postgres"
)

func TestStatisticsAreWhatTheServerCounted(t *testing.T) {
	db, _ := enginetest.Postgres().New(t)
	_, err := db.ExecContext(t.Context(), `CREATE TABLE a (id int PRIMARY KEY, x int, never text); CREATE INDEX ix ON a (x);
		CREATE TABLE unknown (id int); INSERT INTO a SELECT n, n FROM generate_series(1, 50) n; ANALYZE a`)
	require.NoError(t, err)
	found, err := postgres.Engine{}.Statistics(t.Context(), db)
	require.NoError(t, err)
	a, ok := found.Tables[designer.TableName{Schema: "public", Name: "a"}]
	require.True(t, ok)
	assert.EqualValues(t, 50, a.Rows)
	assert.Positive(t, a.Bytes)
	assert.Positive(t, a.IndexBytes)
	assert.Equal(t, []string{"never"}, a.Empty)
	assert.Contains(t, a.IndexReads, "ix")
	assert.NotContains(t, found.Tables, designer.TableName{Schema: "public", Name: "unknown"}, "it was never analyzed")
}
