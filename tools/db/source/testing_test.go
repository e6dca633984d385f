package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// sourcesOf are the sources of a project that has these connections.
func sourcesOf(t testing.TB, opts Options, connections ...pool.Config) *Sources {
	t.Helper()
	c, err := pool.New(t.TempDir(), pool.Options{Connections: connections, NoDiscovery: true, Logger: opts.Logger})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return New(c, opts)
}

// configOf is a server's database as the connection app.
func configOf(s dbtest.Server) pool.Config {
	return pool.Config{Name: "app", Dialect: s.Dialect, Address: s.Address}
}
