package mysql

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// MariaDB opens the tables of every database to answer a condition that it
// cannot look up by name, and then waits for whoever changes one of them.
func TestNoQueryScansOtherDatabases(t *testing.T) {
	db := enginetest.MySQLDB(t)
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close()) })
	require.NoError(t, plainly(t.Context(), conn, func(c *catalog) error {
		for _, q := range c.queries(" AND TABLE_NAME IN ('t')") {
			assert.NotContains(t, explained(t, conn, q.text), "Scanned all databases", q.what)
		}
		return nil
	}))
}

// explained returns all that EXPLAIN says of a query.
func explained(t *testing.T, conn Querier, text string) string {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), "EXPLAIN "+text)
	require.NoError(t, err, text)
	defer func() { assert.NoError(t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	var all string
	for rows.Next() {
		values, into := make([]*string, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, rows.Scan(into...))
		for _, v := range values {
			if v != nil {
				all += " " + *v
			}
		}
	}
	require.NoError(t, rows.Err())
	return all
}
