package mysql_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

// A server that counts nothing says nothing. The setting is the whole
// server's: other tests do not mind it.
func TestStatisticsAreWhatTheServerCounted(t *testing.T) {
	db := newDatabase(t)
	own := values(t, db, "SELECT DATABASE()")[0]
	counting := values(t, db, "SELECT CONCAT(VARIABLE_NAME, '=', VARIABLE_VALUE) FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME IN ('USERSTAT', 'PERFORMANCE_SCHEMA') ORDER BY 1")
	require.Len(t, counting, 2, "the tests run on MariaDB")
	if counting[0] == "PERFORMANCE_SCHEMA=OFF" && counting[1] == "USERSTAT=OFF" {
		_, err := mysql.Engine{}.Statistics(t.Context(), db)
		require.ErrorIs(t, err, errors.ErrUnsupported)
	}
	if counting[0] == "PERFORMANCE_SCHEMA=OFF" {
		exec(t, db, "SET GLOBAL userstat = ON")
		t.Cleanup(func() { exec(t, db, "SET GLOBAL userstat = "+counting[1][len("USERSTAT="):]) })
	}
	load(t, db, "CREATE TABLE used (id int PRIMARY KEY); CREATE TABLE `left` (id int PRIMARY KEY); CREATE TABLE never (id int PRIMARY KEY); CREATE VIEW v AS SELECT 1 AS one;")
	for n := range 40 {
		exec(t, db, fmt.Sprintf("INSERT INTO used VALUES (%d)", n), fmt.Sprintf("INSERT INTO `left` VALUES (%d)", n))
	}
	exec(t, db, "ANALYZE TABLE used", "SET SESSION innodb_lock_wait_timeout = 50")
	for range 150 {
		require.Len(t, values(t, db, "SELECT id FROM used"), 40)
	}
	found, err := mysql.Engine{}.Statistics(t.Context(), db)
	require.NoError(t, err)
	of := func(name string) designer.TableStatistics {
		c, ok := found.Tables[designer.TableName{Schema: own, Name: name}]
		require.True(t, ok, name)
		return c
	}
	assert.EqualValues(t, 40, of("used").Rows)
	assert.GreaterOrEqual(t, of("used").Reads, int64(150))
	assert.Less(t, of("used").Reads, int64(200), "a scan is one read, not one of each row")
	assert.Positive(t, of("left").Rows)
	assert.Zero(t, of("left").Reads)
	assert.Zero(t, of("never").Reads)
	assert.Len(t, found.Tables, 3, "a view is no table")
}
