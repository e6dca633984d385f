package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/tools/db/internal/safedriver"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// postgresSession is one session for one query: it begins a transaction that
// reads only, which nothing in it can make write, and always rolls back.
type postgresSession struct {
	conn *pgconn.PgConn
}

// newPostgresSession is a session on a connection of the pool.
func newPostgresSession(pooled any) *postgresSession {
	return &postgresSession{pooled.(*safedriver.Conn).Unwrap().(*stdlib.Conn).Conn().PgConn()}
}

// lockWait bounds waiting for another session's lock.
const lockWait = 5 * time.Second

// guarded runs f in a session of its own. Afterwards the session is as new,
// or its connection is closed.
func (d *postgresDatabase) guarded(ctx context.Context, f func(*postgresSession) error) error {
	err := d.guardedOnce(ctx, f)
	var stale *staleError
	if errors.As(err, &stale) {
		// The pool's connection broke while it was idle: the server was
		// restarted. Nothing was asked yet.
		err = d.guardedOnce(ctx, f)
	}
	return err
}

// staleError says that a connection of the pool was dead before it was used.
type staleError struct{ cause error }

func (e *staleError) Error() string { return e.cause.Error() }

func (e *staleError) Unwrap() error { return e.cause }

func (d *postgresDatabase) guardedOnce(ctx context.Context, f func(*postgresSession) error) (err error) {
	pooled, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	raw := pooled.Raw(func(dc any) error {
		s := newPostgresSession(dc)
		if err = s.begin(ctx); err == nil {
			err = f(s)
		}
		if s.end(ctx) {
			return nil
		}
		return driver.ErrBadConn // the pool forgets the connection
	})
	if raw == nil {
		_ = pooled.Close() // back to the pool
	}
	return err
}

// begin opens the transaction. The query at its end is what makes it read
// only for good: before a first query, SET TRANSACTION could still undo it.
func (s *postgresSession) begin(ctx context.Context) error {
	limit := int64(math.MaxInt32)
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(time.Until(deadline).Milliseconds()+1000, 1) // after our own, which says why
	}
	settings := fmt.Sprintf(`BEGIN TRANSACTION READ ONLY;`+s.noticeAbsence()+`
SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d;
SET LOCAL default_transaction_read_only = on; SET LOCAL standard_conforming_strings = on;
SET LOCAL datestyle = 'ISO'; SET LOCAL extra_float_digits = 3; SELECT 1`,
		min(limit, math.MaxInt32), lockWait.Milliseconds(), min(limit+60_000, math.MaxInt32))
	_, err := s.conn.Exec(ctx, settings).ReadAll()
	if err != nil && ctx.Err() == nil && s.conn.IsClosed() {
		return &staleError{serverLost(err)}
	}
	return err
}

// noticeAbsence has the server look from time to time whether its client is
// still there: the query of an instance that was killed would otherwise run on
// until its time limit. Versions before 14 cannot, nor servers on some systems.
func (s *postgresSession) noticeAbsence() string {
	major, _, _ := strings.Cut(s.conn.ParameterStatus("server_version"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 14 {
		return ""
	}
	return "SELECT CASE WHEN pg_catalog.version() ~ 'linux' THEN pg_catalog.set_config('client_connection_check_interval', '1000', true) END;"
}

// cleanWait bounds how long a session's end may take.
const cleanWait = 2 * time.Second

// end undoes everything the session did and reports whether it can be used
// again. After a cancel the driver has closed it, and asks the server to stop
// what runs; end waits for that.
func (s *postgresSession) end(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWait)
	defer cancel()
	if !s.conn.IsClosed() {
		for _, statement := range []string{"ROLLBACK", "DISCARD ALL"} {
			if _, err := s.conn.Exec(ctx, statement).ReadAll(); err != nil {
				_ = s.conn.Close(ctx) // whatever it says, it is not used again
				break
			}
		}
	}
	if !s.conn.IsClosed() {
		return true
	}
	select {
	case <-s.conn.CleanupDone():
	case <-ctx.Done():
	}
	return false
}

// Ask implements [readonly.Catalogue].
func (s *postgresSession) Ask(ctx context.Context, questions ...readonly.Question) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	for i, q := range questions {
		var err error
		if answers[i], err = s.rows(ctx, q); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func (s *postgresSession) rows(ctx context.Context, q readonly.Question) ([][]string, error) {
	values := make([][]byte, len(q.Args))
	for i, a := range q.Args {
		values[i] = []byte(a)
	}
	result := s.conn.ExecParams(ctx, q.SQL, values, nil, nil, nil).Read()
	if result.Err != nil {
		return nil, rowError(result.Err)
	}
	if err := shaped(result.Rows, q.Columns); err != nil {
		return nil, err
	}
	rows := make([][]string, len(result.Rows))
	for i, row := range result.Rows {
		rows[i] = make([]string, len(row))
		for j, v := range row {
			rows[i][j] = string(v)
		}
	}
	return rows, nil
}

// serverLost names the loss of a connection for what it is.
func serverLost(err error) error {
	if err == nil {
		return nil
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		if endedByServer(server.Code) {
			return errLost
		}
		return err
	}
	if lost(err) {
		return errLost
	}
	return err
}

// endedByServer tells of the codes with which the server ends a session:
// by an administrator, with a crash, when shutting down.
func endedByServer(code string) bool {
	return code == "57P01" || code == "57P02" || code == "57P03" || code == "57P05"
}

var _ readonly.Catalogue = (*postgresSession)(nil)
