package safedriver

import (
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closing counts how often it is closed.
type closing struct {
	driver.Conn
	times int
}

func (c *closing) Close() error { c.times++; return nil }

// SQL Server's driver gives a buffer back for each Close, so that after a second
// one two connections have the same.
func TestAConnectionIsClosedOnce(t *testing.T) {
	inner := &closing{}
	c := &Conn{inner: inner}
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	assert.Equal(t, 1, inner.times)
}
