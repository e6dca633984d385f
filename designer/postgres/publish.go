package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// publishSettings are those of a plan. How long it waits for others is set
// beside them; what it does itself takes as long as the tables are large.
const publishSettings = `SELECT set_config('statement_timeout', '0', true), set_config('standard_conforming_strings', 'on', true)`

// Publish implements [engine.Engine]. It makes a plan in one transaction, from
// the step with index from on: all of it or, after an error, nothing. Progress
// may be nil; an error of it stops the plan. A server that loses the
// connection takes back what was made.
//
// A transaction that waits for others that use a table is taken back and made
// again, as [engine.PastLocks] says: meanwhile everyone who wants one of its
// tables waits. Progress is told of each step once.
//
// The error is a [*designer.StepError] where the server refuses a step or,
// with the index one past the last, the commit.
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	progress = engine.Once(progress)
	return engine.PastLocks(ctx, isLocked, func(worked time.Duration) error {
		return publishOnce(ctx, db, p, from, progress, worked)
	})
}

// publishOnce makes a plan; worked is how long the attempt before has worked.
func publishOnce(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress, worked time.Duration) error {
	tx, err := begin(ctx, db, publishSettings)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit: none
	if err := lock(ctx, tx); err != nil {
		return err
	}
	if err := engine.Ready(ctx); err != nil {
		return err
	}
	began, wait := time.Now(), time.Duration(0)
	for i := from; i < len(p.Steps); i++ {
		if now := engine.WaitAfter(max(worked, time.Since(began))); now != wait {
			wait = now
			if _, err := tx.ExecContext(ctx, "SELECT set_config('lock_timeout', $1, true)", strconv.FormatInt(wait.Milliseconds(), 10)); err != nil {
				return fmt.Errorf("bound the wait for locks: %w", err)
			}
		}
		if err := progress(i, false); err != nil {
			return fmt.Errorf("stop before step %d: %w", i+1, err)
		}
		if err := step(ctx, tx, i, p.Steps[i]); err != nil {
			return err
		}
		if err := progress(i, true); err != nil {
			return fmt.Errorf("stop after step %d: %w", i+1, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return &designer.StepError{Index: len(p.Steps), Step: designer.Step{Comment: "commit"}, Err: detailed(err)}
	}
	return nil
}

// isLocked reports whether others held a lock for too long: lock_not_available
// or deadlock_detected.
func isLocked(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "55P03" || refused.Code == "40P01")
}

// begin starts a transaction with settings of its own.
func begin(ctx context.Context, db *sql.DB, settings string) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("begin the plan: %w", err)
	}
	if _, err := tx.ExecContext(ctx, settings); err != nil {
		_ = tx.Rollback() // the cause is err
		return nil, fmt.Errorf("prepare the plan: %w", err)
	}
	return tx, nil
}

// step makes one step of a plan.
func step(ctx context.Context, tx *sql.Tx, i int, s designer.Step) error {
	if _, err := tx.ExecContext(ctx, s.Statement); err != nil {
		return &designer.StepError{Index: i, Step: s, Err: detailed(err)}
	}
	return nil
}

// detailed adds which key is in the way of a unique or foreign key: the
// message alone does not say. Details of other errors hold whole rows.
func detailed(err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Detail == "" {
		return err
	}
	switch refused.Code {
	case "23503", "23505": // foreign_key_violation, unique_violation
		return fmt.Errorf("%w: %s", err, refused.Detail)
	}
	return err
}
