package mssql

import (
	"context"
	"database/sql"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// publishWait is what publishing waits for a table that others use.
const publishWait = 30 * time.Second

// Publish implements [engine.Engine]. It makes the plan in one transaction:
// all of it or nothing. progress may be nil. See [engine.Engine].
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	return trial{plan: p, from: from, progress: progress, wait: publishWait, keep: true}.run(ctx, db)
}

func (r trial) step(ctx context.Context, tx *sql.Tx, i int) error {
	step := r.plan.Steps[i]
	if err := r.report(i, false); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, step.Statement); err != nil {
		return &designer.StepError{Index: i, Step: step, Err: err}
	}
	return r.report(i, true)
}

func (r trial) report(step int, done bool) error {
	if r.progress == nil {
		return nil
	}
	return r.progress(step, done)
}
