package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// publishLock is the key of the advisory lock that a publish holds: "berth" in
// hexadecimal. Such a lock is one of the database.
const publishLock = 0x6265727468

// lockApplication begins the application_name of a publish. The seconds since
// 1970 follow, by the server's clock, and the holder: every user sees it.
const lockApplication = "berth publish "

const (
	takeLock = `SELECT pg_try_advisory_xact_lock($1),
	set_config('application_name', '` + lockApplication + `' || floor(extract(epoch FROM clock_timestamp())) || ' ' || $2, true)`

	lockHolder = `SELECT a.pid,
	COALESCE(substring(a.application_name FROM '^` + lockApplication + `\d+ (.*)$'), a.usename, ''),
	COALESCE(floor(extract(epoch FROM clock_timestamp()))::bigint - substring(a.application_name FROM '^` + lockApplication + `(\d+) ')::bigint, -1)
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
	AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
	AND l.classid = ($1::bigint >> 32)::bigint::oid AND l.objid = ($1::bigint & 4294967295)::bigint::oid`
)

// lock takes the database's lock of publishing until the transaction ends: not
// that of the session, which a pooler may share.
func lock(ctx context.Context, tx *sql.Tx) error {
	taken, err := engine.Await(ctx, func() (taken bool, err error) {
		var name string
		return taken, tx.QueryRowContext(ctx, takeLock, int64(publishLock), engine.Holder(ctx)).Scan(&taken, &name)
	})
	if err != nil {
		return fmt.Errorf("lock the database for the plan: %w", err)
	}
	if taken {
		return nil
	}
	held, err := heldBy(ctx, tx)
	if err != nil {
		return &designer.LockedError{} // it has ended meanwhile, or the server does not say
	}
	return held
}

// Locked implements [engine.LockReader].
func (Engine) Locked(ctx context.Context, db *sql.DB) error {
	held, err := heldBy(ctx, db)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return held
}

// heldBy describes who holds the lock; sql.ErrNoRows: nobody does.
func heldBy(ctx context.Context, q Querier) (*designer.LockedError, error) {
	var pid, seconds int64
	held := &designer.LockedError{}
	if err := q.QueryRowContext(ctx, lockHolder, int64(publishLock)).Scan(&pid, &held.Holder, &seconds); err != nil {
		return nil, fmt.Errorf("ask who publishes: %w", err)
	}
	held.Session, held.End = fmt.Sprint(pid), fmt.Sprintf("SELECT pg_terminate_backend(%d)", pid)
	if seconds >= 0 {
		held.Since = time.Now().Add(-time.Duration(seconds) * time.Second)
	}
	return held, nil
}
