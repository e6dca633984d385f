package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// verifyWait is what a trial waits for a table that others use.
const verifyWait = 5 * time.Second

// Verify implements [engine.Engine]. It makes the plan in a transaction and
// rolls it back. While it runs the tables that it changes are locked for
// everyone, and steps that rewrite a table take as long as in earnest.
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	return trial{plan: p, progress: progress, wait: verifyWait}.run(ctx, db)
}

// VerifyNew implements [engine.Engine]. It makes the plan in a scratch
// database of the server, with the rights that a script has there; see
// [Engine.Load].
func (Engine) VerifyNew(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) (err error) {
	name, err := makeScratch(ctx, db)
	if err != nil {
		return fmt.Errorf("create a scratch database: %w", err)
	}
	defer func() { err = errors.Join(err, endScratch(ctx, db, name)) }()
	c, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect for the scratch database: %w", err)
	}
	defer discard(c)
	if err := enter(ctx, c, name); err != nil {
		return err
	}
	for i, s := range p.Steps {
		err := progress.Step(i, func() error {
			if _, err := c.ExecContext(ctx, s.Statement); err != nil {
				return &designer.StepError{Index: i, Step: s, Err: err}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// trial is a plan being made in one transaction.
type trial struct {
	plan     designer.Plan
	from     int
	progress engine.Progress
	// wait bounds how long a statement waits for a table that others lock:
	// while it waits, everyone else waits behind it.
	wait time.Duration
	keep bool // commit at the end
}

// run makes the steps. After an error nothing of them lasts.
func (r trial) run(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if r.keep {
		if err := lock(ctx, tx); err != nil {
			return err
		}
		if err := engine.Ready(ctx); err != nil {
			return err
		}
	}
	began, wait := time.Now(), time.Duration(0)
	for i := r.from; i < len(r.plan.Steps); i++ {
		now := r.wait
		if r.keep { // a trial gives up
			now = max(now, engine.WaitAfter(time.Since(began)))
		}
		if now != wait {
			wait = now
			if _, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCK_TIMEOUT %d", wait.Milliseconds())); err != nil {
				return fmt.Errorf("bound the wait for locks: %w", err)
			}
		}
		if err := r.step(ctx, tx, i); err != nil {
			return err
		}
	}
	if !r.keep {
		return nil
	}
	if err := tx.Commit(); err != nil {
		return &designer.StepError{Index: len(r.plan.Steps), Step: designer.Step{Comment: "commit"}, Err: err}
	}
	return nil
}
