package db

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
)

func TestACallMeansTheOnlyConnectionOfTheLowestRank(t *testing.T) {
	root := t.TempDir()
	writeDB(t, root, "stray.db", "CREATE TABLE in_stray (x)")
	writeDB(t, root, "a.db", "CREATE TABLE in_a (x)")
	writeDB(t, root, "b.db", "CREATE TABLE in_b (x)")
	a, b := Config{Name: "a", Path: "a.db"}, Config{Name: "b", Path: "b.db"}
	ranked := func(cfg Config, rank int) Config { cfg.Rank = rank; return cfg }
	for _, tt := range []struct {
		name string
		list []Config
		want string
	}{
		{"the settings' before one found", []Config{ranked(b, RankFound), a}, `["in_a"]`},
		{"a listed one before one found", []Config{ranked(b, RankFound), ranked(a, RankListed)}, `["in_a"]`},
		{"one found in a file before stray SQLite files", []Config{ranked(b, RankFound)}, `["in_b"]`},
		{"two of one rank are a question", []Config{ranked(b, RankFound), ranked(a, RankFound)},
			"this project has several databases; say which with the argument connection: b, a, stray.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := connections(t, root, Options{Connections: tt.list}).call(t.Context(), "get-tables", "{}")
			assert.Equal(t, []string{tt.want}, r.Content)
		})
	}
}

func TestAnUpdateIsSeenByTheNextCallAndClosesWhatIsGone(t *testing.T) {
	root := t.TempDir()
	writeDB(t, root, "a.db", "CREATE TABLE in_a (x)")
	writeDB(t, root, "b.db", "CREATE TABLE in_b (x)")
	c := connections(t, root, Options{Connections: []Config{{Name: "main", Path: "a.db"}, {Name: "b", Path: "b.db"}}, Default: "main", NoDiscovery: true})
	tables := func() string { return c.call(t.Context(), "get-tables", "{}").Content[0] }
	assert.Equal(t, `["in_a"]`, tables())
	old, err := c.database(Config{Name: "main", Path: "a.db"})
	require.NoError(t, err)
	kept, err := c.database(Config{Name: "b", Path: "b.db"})
	require.NoError(t, err)

	c.Update([]Config{{Name: "main", Path: "b.db", MaxRows: 1}}, "", []string{"a note"})
	assert.Equal(t, `["in_b"]`, tables())
	assert.Equal(t, []string{"a note"}, c.Notes())
	now, err := c.database(Config{Name: "main", Path: "b.db"})
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
			_, before, err := c.reach(base)
			require.NoError(t, err)
			_, after, err := c.reach(tt.cfg)
			require.NoError(t, err)
			assert.Equal(t, tt.same, before == after)
		})
	}
}

func TestARetiredPoolIsClosedAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Connections{closing: make(chan struct{}), open: map[string]*opened{}}
		d := &closeCounter{}
		c.open["x"] = newOpened(d)
		c.Update(nil, "", nil)
		time.Sleep(retireAfter - time.Second)
		assert.Zero(t, d.closed.Load())
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 1, d.closed.Load())
		c.open["y"] = newOpened(d)
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

func (d *closeCounter) close() error { d.closed.Add(1); return nil }

func TestAWriteUnderWayOutlivesTheUpdateThatTakesItsConnectionAway(t *testing.T) {
	root := t.TempDir()
	path := writeDB(t, root, "a.db", "CREATE TABLE t (x)")
	c := connections(t, root, Options{Connections: []Config{{Name: "a", Path: path}}, NoDiscovery: true})
	s, err := c.Source(t.Context(), "a")
	require.NoError(t, err)
	err = s.write(t.Context(), func(ctx context.Context, _ engine.Engine, pool *sql.DB) error {
		c.Update(nil, "", nil)
		_, err := pool.ExecContext(ctx, "INSERT INTO t VALUES (1)")
		return err
	})
	require.NoError(t, err)
	_, err = c.Source(t.Context(), "a")
	require.ErrorContains(t, err, `no connection is named "a", and none is known at all`)
}
