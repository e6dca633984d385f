package source

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/driver"
)

// Plan orders what brings the database from one state of a design to another.
// It reads no database.
func (s *Source) Plan(d *designer.Diff) (designer.Plan, error) { return s.engine().Plan(d) }

// Script makes the whole design in an empty database. It reads no database.
func (s *Source) Script(design *designer.Schema) (designer.Plan, error) {
	return s.engine().Script(design)
}

// Verify tries a plan and leaves no trace. A step that the server refuses is
// a [*designer.StepError]. progress may be nil; see [engine.Engine.Verify].
func (s *Source) Verify(ctx context.Context, p designer.Plan, progress func(step int, done bool) error) error {
	if s.config.Design {
		return s.onScratch(ctx, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
			return e.VerifyNew(ctx, pool, p, progress)
		})
	}
	return s.write(ctx, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
		return e.Verify(ctx, pool, p, progress)
	})
}

// Publish makes a plan from its step numbered from on, under the database's
// lock; see [engine.Engine.Publish]. It has no time limit but that of ctx.
func (s *Source) Publish(ctx context.Context, p designer.Plan, from int, g designer.Guard, progress func(step int, done bool) error) error {
	return s.write(ctx, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
		return e.Publish(engine.WithGuard(ctx, g), pool, p, from, progress)
	})
}

// Locked returns a [*designer.LockedError] if another publish to the database is in
// progress; see [engine.LockReader].
func (s *Source) Locked(ctx context.Context) error {
	reader, is := s.engine().(engine.LockReader)
	if !is || s.config.Design {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, _ engine.Engine, pool *sql.DB) error {
		return reader.Locked(ctx, pool)
	})
}

// Load has the server itself read a script, in a scratch database.
func (s *Source) Load(ctx context.Context, script string) (def designer.LoadResult, err error) {
	run := s.write
	if s.config.Design {
		run = s.onScratch
	}
	err = run(ctx, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
		def, err = e.Load(ctx, pool, script)
		return err
	})
	return def, err
}

func (s *Source) engine() engine.Engine { return driver.EngineOf(s.config.Dialect) }

// write runs fn with the pool that may change the database, and records what
// it makes beside it.
func (s *Source) write(ctx context.Context, fn func(context.Context, engine.Engine, *sql.DB) error) error {
	server, _ := s.all.connections.Place(s.config)
	return s.all.connections.Write(ctx, s.config, func(ctx context.Context, e engine.Engine, pool *sql.DB) error {
		ctx = engine.WithCopies(ctx, s.all.copies)
		return fn(s.all.scratch.on(ctx, s.config.Name, server), e, pool)
	})
}
