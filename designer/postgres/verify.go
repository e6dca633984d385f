package postgres

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
)

// verifySettings bound what a trial may cost others: it holds the locks that
// the plan will hold, and everyone who needs those tables waits for it.
const verifySettings = `SELECT set_config('lock_timeout', '3s', true), set_config('statement_timeout', '30s', true),
set_config('idle_in_transaction_session_timeout', '30s', true), set_config('standard_conforming_strings', 'on', true)`

// Verify implements [engine.Engine]. It makes a plan in a transaction that is
// rolled back. It gives up when another transaction keeps it from a table for
// three seconds, or a step takes half a minute: the error is then the
// server's, as for any step that it refuses, in a [*designer.StepError].
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan) error {
	tx, err := begin(ctx, db, verifySettings)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // which is the point
	for i, s := range p.Steps {
		if err := step(ctx, tx, i, s); err != nil {
			return err
		}
	}
	return nil
}
