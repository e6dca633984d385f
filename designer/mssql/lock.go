package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

const (
	// takeLock takes a lock of the database until the transaction ends. It waits
	// for [engine.PublishWait], in milliseconds.
	takeLock = `DECLARE @taken int;
EXEC @taken = sp_getapplock @Resource = N'berth publish', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = %d;
SELECT @taken;`

	// lockFree asks without taking it; any login of the database may.
	lockFree = `SELECT APPLOCK_TEST('public', N'berth publish', 'Exclusive', 'Session')`

	// lockHolder needs the right VIEW SERVER STATE.
	lockHolder = `SELECT TOP 1 s.session_id, CONCAT(s.login_name, '@', s.host_name, ', process ', s.host_process_id),
	DATEDIFF(second, s.last_request_start_time, SYSDATETIME())
FROM sys.dm_tran_locks l JOIN sys.dm_exec_sessions s ON s.session_id = l.request_session_id
WHERE l.resource_type = 'APPLICATION' AND l.resource_database_id = DB_ID() AND l.request_status = 'GRANT'
	AND l.resource_description LIKE '%berth publish%'`
)

// lock takes the database's lock of publishing until the transaction ends.
func lock(ctx context.Context, tx *sql.Tx) error {
	var taken int
	if err := tx.QueryRowContext(ctx, fmt.Sprintf(takeLock, engine.PublishWait.Milliseconds())).Scan(&taken); err != nil {
		return fmt.Errorf("lock the database for the plan: %w", err)
	}
	if taken >= 0 {
		return nil
	}
	return heldBy(ctx, tx)
}

// Locked implements [engine.LockReader].
func (Engine) Locked(ctx context.Context, db *sql.DB) error {
	var free int
	if err := db.QueryRowContext(ctx, lockFree).Scan(&free); err != nil {
		return fmt.Errorf("ask whether somebody publishes: %w", err)
	}
	if free == 1 {
		return nil
	}
	return heldBy(ctx, db)
}

// heldBy describes who holds the lock, as far as the server says.
func heldBy(ctx context.Context, q Querier) *designer.LockedError {
	held := &designer.LockedError{}
	var id, seconds int64
	if err := q.QueryRowContext(ctx, lockHolder).Scan(&id, &held.Holder, &seconds); err != nil {
		return &designer.LockedError{} // it has ended meanwhile, or the server does not say
	}
	held.Session, held.End = fmt.Sprint(id), fmt.Sprintf("KILL %d", id)
	held.Since, held.Idle = time.Now().Add(-time.Duration(seconds)*time.Second), true
	return held
}
