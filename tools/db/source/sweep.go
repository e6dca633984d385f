package source

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

// SweepScratch drops, now and hourly until Close, the scratch databases that a
// process of this project has left which was killed, or that could not be
// dropped when they were made. It returns at once. Only the process that holds
// the project's state may call it. A connection is contacted only where
// something was left there.
func (s *Sources) SweepScratch() {
	ctx, done, err := s.connections.Begin(context.Background())
	if err != nil {
		return // it is closed
	}
	go func() {
		defer done()
		repeatSweep(ctx, s.sweepOnce)
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

// sweepOnce visits every connection that something was left on.
func (s *Sources) sweepOnce(ctx context.Context) {
	left, err := s.scratch.left()
	if err != nil {
		s.warn("scratch databases that may be left cannot be listed", "cause", err)
	}
	byConnection := map[string][]scratchRecord{}
	for _, r := range left {
		byConnection[r.Connection] = append(byConnection[r.Connection], r)
	}
	for connection, records := range byConnection {
		err := s.sweepConnection(ctx, connection, records)
		if err != nil && ctx.Err() == nil {
			s.warn("scratch databases that a killed process left are not dropped yet", "connection", connection,
				"databases", len(records), "cause", err)
		}
	}
}

func (s *Sources) sweepConnection(ctx context.Context, connection string, records []scratchRecord) error {
	ctx, cancel := context.WithTimeout(ctx, sweepWait)
	defer cancel()
	return s.onServer(ctx, connection, func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error {
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
				s.info("dropped a scratch database that a killed process left", "connection", connection, "database", r.Name)
			case time.Since(r.made) > sweepDoubt:
				s.scratch.forget(r.Name)
			}
		}
		return nil
	})
}

// onServer runs fn with the pool of a connection that may write. One that is
// withheld is not contacted.
func (s *Sources) onServer(ctx context.Context, connection string,
	fn func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error) error {
	cfg, err := s.connections.Pick(ctx, connection)
	if err != nil {
		return err
	}
	if cfg.Design {
		return fmt.Errorf("connection %s is a design now, without a database", replytext.Quote(connection))
	}
	if cfg.IsSQLite() {
		return fmt.Errorf("connection %s is a SQLite file, which has no server", replytext.Quote(connection))
	}
	server, _ := s.connections.Place(cfg)
	return s.connections.Write(ctx, cfg, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
		return fn(ctx, server, e, pool)
	})
}

// ScratchDatabase is a scratch database that a process uses, or was left.
type ScratchDatabase struct {
	Name       string
	Connection string // through which it was found, or made
	Server     string
	Own        bool // of this project; [Sources.SweepScratch] drops it
	Owned      bool // of this project or another one's
}

// ScratchOn lists the scratch databases that a connection's server has,
// whoever made them.
func (s *Sources) ScratchOn(ctx context.Context, connection string) (all []ScratchDatabase, err error) {
	err = s.onServer(ctx, connection, func(ctx context.Context, server string, e engine.Engine, pool *sql.DB) error {
		names, err := e.Scratches(ctx, pool)
		for _, name := range names {
			if owner, ok := engine.ScratchOwner(name); ok {
				all = append(all, ScratchDatabase{name, connection, server, owner == s.scratch.owner, owner != ""})
			}
		}
		return err
	})
	return all, err
}

// ScratchRecorded lists the scratch databases of this project that may be
// there, without asking a server.
func (s *Sources) ScratchRecorded() ([]ScratchDatabase, error) {
	left, err := s.scratch.left()
	var all []ScratchDatabase
	for _, r := range left {
		all = append(all, ScratchDatabase{r.Name, r.Connection, r.Server, true, true})
	}
	return all, err
}

func (s *Sources) info(text string, args ...any) {
	if s.logger != nil {
		s.logger.Info(text, args...)
	}
}

func (s *Sources) warn(text string, args ...any) {
	if s.logger != nil {
		s.logger.Warn(text, args...)
	}
}
