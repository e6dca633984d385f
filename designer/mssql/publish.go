package mssql

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Publish implements [engine.Engine]. It makes the plan in one transaction:
// all of it or nothing. progress may be nil. A transaction that waits for
// others that use a table is taken back and made again, as [engine.PastLocks]
// says. See [engine.Engine].
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	progress = engine.Once(progress)
	return engine.PastLocks(ctx, isLocked, func(worked time.Duration) error {
		return trial{plan: p, from: from, progress: progress, wait: engine.WaitAfter(worked), keep: true}.run(ctx, db)
	})
}

// isLocked reports whether others held a lock for too long: the server's
// errors 1222, a lock request that timed out, and 1205, a deadlock.
func isLocked(err error) bool {
	refused := interface{ SQLErrorNumber() int32 }(nil)
	return errors.As(err, &refused) && (refused.SQLErrorNumber() == 1222 || refused.SQLErrorNumber() == 1205)
}

func (r trial) step(ctx context.Context, tx *sql.Tx, i int) error {
	step := r.plan.Steps[i]
	return r.progress.Step(i, func() error {
		if _, err := tx.ExecContext(ctx, step.Statement); err != nil {
			return &designer.StepError{Index: i, Step: step, Err: err}
		}
		return nil
	})
}
