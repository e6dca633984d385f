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
	held := &designer.LockedError{}
	var id sql.NullInt64
	if err := s.QueryRowContext(ctx, "SELECT IS_USED_LOCK("+publishLock+")").Scan(&id); err != nil || !id.Valid {
		return held // it has ended meanwhile
	}
	held.Session, held.End = itoa(int(id.Int64)), fmt.Sprintf("KILL %d", id.Int64)
	var seconds int64
	err := s.QueryRowContext(ctx, "SELECT CONCAT(USER, '@', HOST), TIME FROM information_schema.PROCESSLIST WHERE ID = ?", id.Int64).Scan(&held.Holder, &seconds)
	if err == nil { // the server shows others' connections only to who has the right PROCESS
		held.Since, held.Idle = time.Now().Add(-time.Duration(seconds)*time.Second), true
	}
	return held
}
