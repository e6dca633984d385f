package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// publishLock is the name of the lock that a publish holds. Such names are the
// server's, not the database's, and 64 characters long at most.
const publishLock = "CONCAT('berth publish ', SHA1(LOWER(DATABASE())))"

// lock takes the database's lock of publishing. It ends with the connection.
func (s *session) lock(ctx context.Context) error {
	var taken sql.NullInt64
	if err := s.QueryRowContext(ctx, fmt.Sprintf("SELECT GET_LOCK(%s, %d)", publishLock, int(engine.PublishWait.Seconds()))).Scan(&taken); err != nil {
		return fmt.Errorf("publish: lock the database: %w", err)
	}
	switch {
	case taken.Int64 == 1:
		return nil
	case !taken.Valid:
		return fmt.Errorf("publish: the server could not lock the database")
	}
	held, err := heldBy(ctx, s)
	if err != nil || held == nil {
		return &designer.LockedError{} // it has ended meanwhile
	}
	return held
}

// unlock gives the lock back, so that it is free when the publish returns: the
// server notices the end of a connection some time after it. That of a caller
// who has given up ends with the connection, see [session.end].
func (s *session) unlock(ctx context.Context) {
	if ctx.Err() == nil {
		_, _ = s.ExecContext(ctx, "DO RELEASE_LOCK("+publishLock+")") // a broken connection has none
	}
}

// Locked implements [engine.LockReader].
func (Engine) Locked(ctx context.Context, db *sql.DB) error {
	held, err := heldBy(ctx, db)
	if err != nil || held == nil {
		return err
	}
	return held
}

// heldBy describes who holds the lock; nil: nobody does.
func heldBy(ctx context.Context, q Querier) (*designer.LockedError, error) {
	var id sql.NullInt64
	if err := q.QueryRowContext(ctx, "SELECT IS_USED_LOCK("+publishLock+")").Scan(&id); err != nil {
		return nil, fmt.Errorf("ask who publishes: %w", err)
	}
	if !id.Valid {
		return nil, nil
	}
	held := &designer.LockedError{Session: itoa(int(id.Int64)), End: fmt.Sprintf("KILL %d", id.Int64)}
	var seconds int64
	err := q.QueryRowContext(ctx, "SELECT CONCAT(USER, '@', HOST), TIME FROM information_schema.PROCESSLIST WHERE ID = ?", id.Int64).Scan(&held.Holder, &seconds)
	if err == nil { // the server shows others' connections only to who has the right PROCESS
		held.Since, held.Idle = time.Now().Add(-time.Duration(seconds)*time.Second), true
	}
	return held, nil
}
