package mysql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"
)

// LockWait bounds how long a statement of a plan waits for others that use
// its table.
const LockWait = time.Minute

// settleTime bounds what is done after a caller has given up.
const settleTime = 30 * time.Second

// strictMode is the sql_mode of plans: values that do not fit are refused
// rather than cut, and a zero in an identity column stays one.
const strictMode = "STRICT_ALL_TABLES,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO"

// session is one connection with the settings of a plan. It never goes back
// to its pool.
type session struct {
	*sql.Conn
	db *sql.DB
	id int64 // of the server's thread
}

func newSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	s := &session{Conn: conn, db: db}
	err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&s.id)
	for _, set := range []string{
		"SET NAMES utf8mb4",
		"SET SESSION sql_mode = '" + strictMode + "'",
		"SET SESSION foreign_key_checks = 1",
		"SET SESSION unique_checks = 1",
		fmt.Sprintf("SET SESSION lock_wait_timeout = %d", int(LockWait.Seconds())),
	} {
		if err == nil {
			_, err = conn.ExecContext(ctx, set)
		}
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("prepare the connection: %w", err)
	}
	return s, nil
}

// close ends the connection rather than giving it back with its settings.
func (s *session) close() {
	_ = s.Raw(func(any) error { return driver.ErrBadConn }) // that is how a connection is given up
	_ = s.Conn.Close()
}

// end sees to it that the server works on the connection no more: a statement
// goes on after its client has gone, and what it does then would come after
// the caller has looked.
func (s *session) end(ctx context.Context) {
	s.close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	_, _ = s.db.ExecContext(ctx, fmt.Sprintf("KILL %d", s.id)) // it may be gone already
	for ctx.Err() == nil {
		var there bool
		err := s.db.QueryRowContext(ctx, "SELECT COUNT(*) > 0 FROM information_schema.PROCESSLIST WHERE ID = ?", s.id).Scan(&there)
		if err != nil || !there {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// finds reports whether a query has a row.
func finds(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, query string) (bool, error) {
	var one any
	switch err := q.QueryRowContext(ctx, query).Scan(&one); err {
	case nil:
		return true, nil
	case sql.ErrNoRows:
		return false, nil
	default:
		return false, err
	}
}
