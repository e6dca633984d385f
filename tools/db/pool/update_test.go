package pool

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
)

func TestAnUpdateIsSeenByTheNextCallAndClosesWhatIsGone(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "a.db", "CREATE TABLE in_a (x)")
	dbtest.SQLite(t, root, "b.db", "CREATE TABLE in_b (x)")
	c := connections(t, root, Options{Connections: []Config{{Name: "main", Path: "a.db"}, {Name: "b", Path: "b.db"}}, Default: "main", NoDiscovery: true})
	tables := func() (names []string) {
		_, d, err := c.Open(t.Context(), "")
		require.NoError(t, err)
		all, err := d.Objects(t.Context())
		require.NoError(t, err)
		for _, o := range all {
			names = append(names, o.Name)
		}
		return names
	}
	assert.Equal(t, []string{"in_a"}, tables())
	old, err := c.Database(Config{Name: "main", Path: "a.db"})
	require.NoError(t, err)
	kept, err := c.Database(Config{Name: "b", Path: "b.db"})
	require.NoError(t, err)

	c.Update([]Config{{Name: "main", Path: "b.db", MaxRows: 1}}, "", []string{"a note"})
	assert.Equal(t, []string{"in_b"}, tables())
	assert.Equal(t, []string{"a note"}, c.Notes())
	now, err := c.Database(Config{Name: "main", Path: "b.db"})
	require.NoError(t, err)
	assert.Same(t, kept, now, "what reaches the same keeps its pool")
	_, err = old.Version(t.Context())
	require.NoError(t, err, "a call that had asked for the pool before still runs")
	assert.Len(t, c.retired, 1)
}

func TestAPoolOfAServerIsKeptUnlessSomethingBehindItChanges(t *testing.T) {
	c := connections(t, t.TempDir(), Options{NoDiscovery: true})
	base := Config{Name: "a", Dialect: "postgres", Revision: "1", Address: dial.Address{Host: "h", Database: "d", Params: map[string]string{"application_name": "x"}}}
	change := func(f func(*Config)) Config {
		cfg := base
		f(&cfg)
		return cfg
	}
	for _, tt := range []struct {
		name string
		cfg  Config
		same bool
	}{
		{"the limits", change(func(c *Config) { c.MaxRows, c.Timeout, c.AllowWrites, c.Origin = 1, 2, true, "elsewhere" }), true},
		{"the port spelled out", change(func(c *Config) { c.Address.Port = 5432 }), true},
		{"the password", change(func(c *Config) { c.Revision = "2" }), false},
		{"the user", change(func(c *Config) { c.Address.User = "u" }), false},
		{"a parameter", change(func(c *Config) { c.Address.Params = map[string]string{"application_name": "y"} }), false},
		{"encryption", change(func(c *Config) { c.Address.SSLMode = "require" }), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, before, err := c.Reach(base)
			require.NoError(t, err)
			_, after, err := c.Reach(tt.cfg)
			require.NoError(t, err)
			assert.Equal(t, tt.same, before == after)
		})
	}
}

func TestARetiredPoolIsClosedAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing, end := context.WithCancel(t.Context())
		c := &Connections{closing: closing, end: end, open: map[string]*Database{}}
		d := &closeCounter{}
		c.open["x"] = newDatabase(d)
		c.Update(nil, "", nil)
		time.Sleep(retireAfter - time.Second)
		assert.Zero(t, d.closed.Load())
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 1, d.closed.Load())
		c.open["y"] = newDatabase(d)
		c.Update(nil, "", nil)
		require.NoError(t, c.Close())
		assert.EqualValues(t, 2, d.closed.Load(), "closing the project does not wait for the time")
	})
}

// closeCounter is a database of which only the closing counts.
type closeCounter struct {
	driver.Database
	closed atomic.Int32 // written by the timer's goroutine
}

func (d *closeCounter) Close() error { d.closed.Add(1); return nil }

func TestAWriteUnderWayOutlivesTheUpdateThatTakesItsConnectionAway(t *testing.T) {
	root := t.TempDir()
	path := dbtest.SQLite(t, root, "a.db", "CREATE TABLE t (x)")
	c := connections(t, root, Options{Connections: []Config{{Name: "a", Path: path}}, NoDiscovery: true})
	cfg, err := c.Pick(t.Context(), "a")
	require.NoError(t, err)
	err = c.Write(t.Context(), cfg, func(ctx context.Context, _ engine.Engine, pool *sql.DB) error {
		c.Update(nil, "", nil)
		_, err := pool.ExecContext(ctx, "INSERT INTO t VALUES (1)")
		return err
	})
	require.NoError(t, err)
	_, err = c.Pick(t.Context(), "a")
	require.ErrorContains(t, err, `no connection is named "a", and none is known at all`)
}
