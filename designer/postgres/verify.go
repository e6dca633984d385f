package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// verifySettings bound what a trial may cost others: it holds the locks that
// the plan will hold, and everyone who needs those tables waits for it.
const verifySettings = `SELECT set_config('lock_timeout', '3s', true), set_config('statement_timeout', '30s', true),
set_config('idle_in_transaction_session_timeout', '30s', true), set_config('standard_conforming_strings', 'on', true)`

// Verify implements [engine.Engine]. It makes a plan in a transaction that is
// rolled back. It gives up when another transaction keeps it from a table for
// three seconds, or a step takes half a minute: the error is then the
// server's, as for any step that it refuses, in a [*designer.StepError].
//
// No step writes rows by which a trigger of a table would run, and event
// triggers are switched off for the transaction: what they do may reach
// outside, and a sequence does not come back. Where that is not allowed nothing
// is tried, and the error is a [*designer.NotTriedError].
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	tx, err := begin(ctx, db, verifySettings)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // which is the point
	if err := silence(ctx, tx); err != nil {
		return err
	}
	for i, s := range p.Steps {
		if err := progress.Step(i, func() error { return step(ctx, tx, i, s) }); err != nil {
			return err
		}
	}
	return nil
}

// VerifyNew implements [engine.Engine]. It makes the plan in a scratch database,
// with the rights that a script has there; see [Engine.Load].
func (Engine) VerifyNew(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	ctx, cancel := context.WithTimeout(ctx, scratchLife)
	defer cancel()
	s, err := makeScratch(ctx, db)
	if err != nil {
		return fmt.Errorf("make a scratch database: %w", err)
	}
	return errors.Join(Engine{}.Verify(ctx, s.db, p, progress), s.drop(ctx))
}

// firingQuery reads the event triggers that a change of the schema runs.
// Those of extensions are part of how the server makes it.
const firingQuery = `SELECT t.evtname FROM pg_event_trigger t WHERE t.evtenabled IN ('O', 'A')
AND t.evtevent IN ('ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite')
AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_event_trigger'::regclass AND e.objid = t.oid AND e.deptype = 'e') ORDER BY 1`

// silence switches event triggers off until the end of the transaction, for it
// alone.
func silence(ctx context.Context, tx *sql.Tx) error {
	var names []string
	err := each(ctx, tx, firingQuery, func(scan scanner) error {
		var name string
		err := scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("read event triggers: %w", err)
	}
	for _, name := range names {
		_, err := tx.ExecContext(ctx, "ALTER EVENT TRIGGER "+ident(name)+" DISABLE")
		var refused *pgconn.PgError
		switch {
		case errors.As(err, &refused) && refused.Code == "42501": // insufficient_privilege
			return &designer.NotTriedError{Reason: fmt.Sprintf("The plan was not tried: the event trigger %s would run at each step of a trial, "+
				"and only its owner can switch it off.", name)}
		case err != nil:
			return fmt.Errorf("switch off event trigger %s: %w", name, err)
		}
	}
	return nil
}
