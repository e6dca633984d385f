package pool

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Database returns the opened database of a connection. Opening is lazy: the
// file or server itself is touched when it is first read.
func (c *Connections) Database(cfg Config) (*Database, error) {
	cfg, key, err := c.Reach(cfg)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, driver.ErrClosed
	}
	d := c.open[key]
	if d == nil {
		made, err := c.openDatabase(cfg)
		if err != nil {
			return nil, cfg.Annotate(err)
		}
		d = newDatabase(made)
		c.open[key] = d
	}
	return d, nil
}

// Reach returns a text of what a connection reaches, and with which
// credentials: two of the same text share a pool. The path of a SQLite file in
// the returned Config is absolute, without symbolic links.
func (c *Connections) Reach(cfg Config) (Config, string, error) {
	if cfg.Withheld != "" {
		return cfg, "", &dial.ConnectError{Connection: cfg.Name, Cause: cfg.Withheld}
	}
	if cfg.Design {
		return cfg, "", designed(cfg)
	}
	if cfg.IsSQLite() {
		path, err := c.resolve(cfg)
		if err != nil {
			return cfg, "", err
		}
		cfg.Path = path
		return cfg, fmt.Sprintf("sqlite %t %s", cfg.ReadOnly, path), nil
	}
	a := cfg.Address
	key := fmt.Sprintf("%s %q %q %q %q %q %q %t %q", cfg.Dialect, a.Server(cfg.Dialect), a.User, a.Database, a.SSLMode, cfg.Name, cfg.Revision,
		a.DriverDefaults, a.Below)
	for _, name := range slices.Sorted(maps.Keys(a.Params)) {
		key += fmt.Sprintf(" %q=%q", name, a.Params[name])
	}
	return cfg, key, nil
}

// IsSQLite reports whether the database is a SQLite file.
func (cfg Config) IsSQLite() bool {
	return !cfg.Design && (cfg.Dialect == "" || cfg.Dialect == dial.SQLite)
}

// openDatabase does no I/O. Path is resolved.
func (c *Connections) openDatabase(cfg Config) (driver.Database, error) {
	switch cfg.Dialect {
	case "", dial.SQLite:
		return driver.OpenSQLite(cfg.Path, cfg.ReadOnly, c.turns), nil
	case dial.PostgreSQL:
		return driver.OpenPostgres(cfg.Address)
	case dial.MySQL:
		return driver.OpenMySQL(cfg.Address)
	case dial.SQLServer:
		return driver.OpenMSSQL(cfg.Address)
	default:
		return nil, &dial.ConnectError{Connection: cfg.Name, Cause: "the dialect " + replytext.Quote(cfg.Dialect) + " is not served"}
	}
}

// retiredPool is a pool that no connection means any more.
type retiredPool struct {
	database driver.Database
	timer    *time.Timer
}

// retireAfter is how long such a pool stays open: a call that had asked for
// it just before still begins. What runs on it then runs to its end, for a
// pool closes a connection only when nothing runs there.
const retireAfter = time.Minute

// Update replaces the connections, the default and the notes of [Options]
// while calls go on: a call under way keeps what it began with, the next one
// sees the new ones. Pools of connections that are gone or reach something
// else are closed.
func (c *Connections) Update(connections []Config, byDefault string, notes []string) {
	keep := map[string]bool{}
	for _, cfg := range connections {
		if _, key, err := c.Reach(cfg); err == nil {
			keep[key] = true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opts.Connections, c.opts.Default, c.opts.Notes = slices.Clone(connections), byDefault, slices.Clone(notes)
	if c.closed {
		return
	}
	for key, d := range c.open {
		if !keep[key] {
			delete(c.open, key)
			c.retireLocked(d)
		}
	}
}

func (c *Connections) retireLocked(d driver.Database) {
	r := &retiredPool{database: d}
	r.timer = time.AfterFunc(retireAfter, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if i := slices.Index(c.retired, r); i >= 0 {
			c.retired = slices.Delete(c.retired, i, i+1)
			_ = d.Close() // nobody is left to be told
		}
	})
	c.retired = append(c.retired, r)
}
