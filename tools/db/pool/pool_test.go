package pool

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/rowset"
)

func connections(t testing.TB, root string, opts Options) *Connections {
	t.Helper()
	c, err := New(root, opts)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}

// ask runs a query on the connection of a name.
func ask(t testing.TB, c *Connections, connection, query string) (reply string) {
	t.Helper()
	_, d, err := c.Open(t.Context(), connection)
	require.NoError(t, err)
	rows := rowset.NewReply(10, 1<<16)
	require.NoError(t, d.Query(t.Context(), query, rows))
	return rows.JSON(0)
}
