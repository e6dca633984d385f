package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Bounds of a sweep.
const (
	sweepWait = 30 * time.Second // for one connection
	// sweepDoubt is how long the server may still be creating a database for a
	// process that was killed: one that is not there counts as gone only then.
	sweepDoubt = time.Minute
)

// sweepPause is how long to wait before a sweep, by its number. The second one
// finds what the server was still creating during the first, the third
// confirms that nothing is left.
func sweepPause(i int) time.Duration {
	return []time.Duration{0, 5 * time.Second, sweepDoubt, time.Hour}[min(i, 3)]
}

// TendScratch drops, now and hourly until Close, the scratch databases that a
// process of this project has left which was killed, or that could not be
// dropped when they were made. It returns at once. Only the process that holds
// the project's state may call it. A connection is contacted only where
// something was left there.
func (c *Connections) TendScratch() {
	ctx, done, err := c.begin(context.Background())
	if err != nil {
		return // it is closed
	}
	go func() {
		defer done()
		repeatSweep(ctx, c.sweepScratch)
	}()
}

// repeatSweep sweeps until ctx ends.
func repeatSweep(ctx context.Context, sweep func(context.Context)) {
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepPause(i)):
			sweep(ctx)
		}
	}
}

// sweepScratch visits every connection that something was left on.
func (c *Connections) sweepScratch(ctx context.Context) {
	left, err := c.scratch.left()
	if err != nil {
		c.warn("scratch databases that may be left cannot be listed", "cause", err)
	}
	byConnection := map[string][]scratchRecord{}
	for _, r := range left {
		byConnection[r.Connection] = append(byConnection[r.Connection], r)
	}
	for connection, records := range byConnection {
		err := c.sweepConnection(ctx, connection, records)
		if err != nil && ctx.Err() == nil {
			c.warn("scratch databases that a killed process left are not dropped yet", "connection", connection,
				"databases", len(records), "cause", err)
		}
	}
}

func (c *Connections) sweepConnection(ctx context.Context, connection string, records []scratchRecord) error {
	ctx, cancel := context.WithTimeout(ctx, sweepWait)
	defer cancel()
	return c.onServer(ctx, connection, func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error {
		there, err := e.Scratches(ctx, pool)
		if err != nil {
			return err
		}
		for _, r := range records {
			switch {
			case r.Server != server:
				return fmt.Errorf("they are on %s, and the connection is to %s now", r.Server, server)
			case slices.Contains(there, r.Name):
				if err := e.DropScratch(ctx, pool, r.Name); err != nil {
					return err
				}
				c.info("dropped a scratch database that a killed process left", "connection", connection, "database", r.Name)
			case time.Since(r.made) > sweepDoubt:
				c.scratch.forget(r.Name)
			}
		}
		return nil
	})
}

// onServer runs fn with the pool of a connection that may write. One that is
// withheld is not contacted.
func (c *Connections) onServer(ctx context.Context, connection string,
	fn func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error) error {
	cfg, err := c.pick(ctx, connection)
	if err != nil {
		return err
	}
	if cfg.isSQLite() {
		return fmt.Errorf("connection %s is a SQLite file, which has no server", replytext.Quote(connection))
	}
	d, err := c.database(cfg)
	if err != nil {
		return err
	}
	pool, err := d.Writer()
	if err != nil {
		return worded(cfg, err)
	}
	server, _ := c.place(cfg)
	return worded(cfg, causeOf(ctx, c.contained(func(ctx context.Context) error {
		return fn(ctx, server, d.Engine(), pool)
	})(ctx)))
}

// ScratchDatabase is a scratch database that a process uses, or was left.
type ScratchDatabase struct {
	Name       string
	Connection string // through which it was found, or made
	Server     string
	Own        bool // of this project; [Connections.TendScratch] drops it
	Owned      bool // of this project or another one's
}

// ScratchOn lists the scratch databases that a connection's server has,
// whoever made them.
func (c *Connections) ScratchOn(ctx context.Context, connection string) (all []ScratchDatabase, err error) {
	err = c.onServer(ctx, connection, func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error {
		names, err := e.Scratches(ctx, pool)
		for _, name := range names {
			if owner, ok := engine.ScratchOwner(name); ok {
				all = append(all, ScratchDatabase{name, connection, server, owner == c.scratch.owner, owner != ""})
			}
		}
		return err
	})
	return all, err
}

// ScratchRecorded lists the scratch databases of this project that may be
// there, without asking a server.
func (c *Connections) ScratchRecorded() ([]ScratchDatabase, error) {
	left, err := c.scratch.left()
	var all []ScratchDatabase
	for _, r := range left {
		all = append(all, ScratchDatabase{r.Name, r.Connection, r.Server, true, true})
	}
	return all, err
}

func (c *Connections) info(text string, args ...any) {
	if c.opts.Logger != nil {
		c.opts.Logger.Info(text, args...)
	}
}

func (c *Connections) warn(text string, args ...any) {
	if c.opts.Logger != nil {
		c.opts.Logger.Warn(text, args...)
	}
}
