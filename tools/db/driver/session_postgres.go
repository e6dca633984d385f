package driver

import (
	"context"
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// postgresSession is one session for one query: it begins a transaction that
// reads only, which nothing in it can make write, and always rolls back.
type postgresSession struct {
	conn    *pgconn.PgConn
	kept    *connCachePostgres
	memory  *readonly.PostgresCache // of the database
	types   *typesPostgres          // likewise
	unkept  bool                    // nothing is kept prepared
	opening []statementPostgres     // of the transaction; sent with the first statements
	ended   bool                    // the session is as new
	values  []string                // of the query's placeholders
}

// session is a session on a connection of the pool.
func (d *postgresDatabase) session(pooled any) *postgresSession {
	conn := pooled.(*safedriver.Conn).Unwrap().(*stdlib.Conn).Conn().PgConn()
	return &postgresSession{conn: conn, kept: keptOf(conn), unkept: d.unkept.Load(), memory: &d.memory, types: &d.types}
}

// lockWait bounds waiting for another session's lock.
const lockWait = 5 * time.Second

// guarded runs f in a session of its own. Afterwards the session is as new,
// or its connection is closed.
func (d *postgresDatabase) guarded(ctx context.Context, f func(*postgresSession) error) error {
	if err := d.places.enter(ctx); err != nil {
		return err
	}
	defer d.places.leave()
	err := d.guardedOnce(ctx, f)
	var stale *staleError
	if errors.As(err, &stale) {
		d.memory.Forget() // it may be another server
	}
	if stale != nil || isForgotten(err) && !d.unkept.Swap(true) {
		// The pool's connection broke while it was idle: the server was
		// restarted. Or a pooler has forgotten what was prepared. Nothing was
		// answered yet.
		err = d.guardedOnce(ctx, f)
	}
	return err
}

// staleError says that a connection of the pool was dead before it was used.
type staleError struct{ cause error }

func (e *staleError) Error() string { return e.cause.Error() }

func (e *staleError) Unwrap() error { return e.cause }

func (d *postgresDatabase) guardedOnce(ctx context.Context, f func(*postgresSession) error) (err error) {
	pooled, err := d.pool.Conn(dial.WithoutPing(ctx))
	if err != nil {
		return err
	}
	raw := pooled.Raw(func(dc any) error {
		s := d.session(dc)
		s.begin(ctx)
		err = f(s)
		if s.opening == nil && s.end(ctx) || s.opening != nil && err == nil {
			return nil
		}
		return driver.ErrBadConn // the pool forgets the connection
	})
	if raw == nil {
		_ = pooled.Close() // back to the pool
	}
	return err
}

// begin readies what opens the transaction. The settings' query is what makes
// it read only for good: before a first query, SET TRANSACTION could still
// undo it.
func (s *postgresSession) begin(ctx context.Context) {
	s.opening = []statementPostgres{{sql: "BEGIN TRANSACTION READ ONLY", fixed: true}, s.settings(ctx, s.planOnce())}
}

// beginIn is begin, and ends the pipeline unless the database is in a state. It
// sets held where that is so. The guard asks nothing else of such a session.
func (s *postgresSession) beginIn(ctx context.Context, state string, held *bool) {
	s.begin(ctx)
	settings := s.settings(ctx, ", "+readonly.PostgresStateHolds, state)
	settings.read = func(r *pgconn.ResultReader) error {
		_, err := r.Close()
		*held = err == nil
		return err
	}
	s.opening[1] = settings
}

// settings makes the settings of the transaction, and selects more, with
// further arguments.
func (s *postgresSession) settings(ctx context.Context, more string, args ...string) statementPostgres {
	limit := int64(math.MaxInt32)
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(time.Until(deadline).Milliseconds()+1000, 1) // after our own, which says why
	}
	millis := func(n int64) string { return strconv.FormatInt(min(n, math.MaxInt32), 10) }
	return statementPostgres{fixed: true, args: append([]string{millis(limit), millis(lockWait.Milliseconds()), millis(limit + 60_000)}, args...),
		sql: `SELECT ` + s.noticeAbsence() + `pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('lock_timeout', $2, true),
pg_catalog.set_config('idle_in_transaction_session_timeout', $3, true), pg_catalog.set_config('default_transaction_read_only', 'on', true),
pg_catalog.set_config('standard_conforming_strings', 'on', true), pg_catalog.set_config('datestyle', 'ISO', true), pg_catalog.set_config('extra_float_digits', '3', true),
pg_catalog.set_config('bytea_output', 'hex', true)` + more}
}

// planOnce has the server plan the guard's questions once and not for each
// query; asIs takes that back for the query. Versions before 12 decide by
// themselves.
func (s *postgresSession) planOnce() string {
	if s.major() < 12 {
		return ""
	}
	return ", pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)"
}

func (s *postgresSession) asIs() []statementPostgres {
	if s.major() < 12 {
		return nil
	}
	return []statementPostgres{{sql: "SET LOCAL plan_cache_mode TO DEFAULT", fixed: true}}
}

// major is the server's version; 0: it does not tell.
func (s *postgresSession) major() int {
	major, _, _ := strings.Cut(s.conn.ParameterStatus("server_version"), ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
}

// noticeAbsence has the server look from time to time whether its client is
// still there: the query of an instance that was killed would otherwise run on
// until its time limit. Versions before 14 cannot, nor servers on some systems.
func (s *postgresSession) noticeAbsence() string {
	if s.major() < 14 {
		return ""
	}
	return "CASE WHEN pg_catalog.version() OPERATOR(pg_catalog.~) 'linux' THEN pg_catalog.set_config('client_connection_check_interval', '1000', true) END, "
}

// cleanWait bounds how long a session's end may take.
const cleanWait = 2 * time.Second

// tidying makes a session as new. It is what DISCARD ALL does, but for what
// was prepared: that is ours.
func tidying() []statementPostgres {
	var all []statementPostgres
	for _, sql := range []string{"ROLLBACK", "CLOSE ALL", "SET SESSION AUTHORIZATION DEFAULT", "RESET ALL", "UNLISTEN *",
		"SELECT pg_catalog.pg_advisory_unlock_all()", "DISCARD TEMP", "DISCARD SEQUENCES"} {
		all = append(all, statementPostgres{sql: sql, fixed: true, last: true})
	}
	return all
}

// end undoes everything the session did and reports whether it can be used
// again. After a cancel the driver has closed it, and asks the server to stop
// what runs; end waits for that.
func (s *postgresSession) end(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWait)
	defer cancel()
	if !s.conn.IsClosed() && !s.ended {
		_ = s.finish(ctx) // ended says whether it did
	}
	if !s.conn.IsClosed() && (!s.ended || s.conn.TxStatus() != 'I') {
		_ = s.conn.Close(ctx) // whatever it says, it is not used again
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

// Ask implements [readonly.Catalog].
func (s *postgresSession) Ask(ctx context.Context, questions ...readonly.CatalogQuery) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	statements := make([]statementPostgres, len(questions))
	for i, q := range questions {
		statements[i] = question(q, &answers[i])
	}
	return answers, s.run(ctx, statements...)
}

// question is the statement that asks q.
func question(q readonly.CatalogQuery, answer *[][]string) statementPostgres {
	return statementPostgres{sql: q.SQL, args: q.Args, fixed: true, read: func(r *pgconn.ResultReader) error {
		result := r.Read()
		if result.Err != nil {
			return result.Err
		}
		if err := shaped(result.Rows, q.Columns); err != nil {
			return err
		}
		rows := make([][]string, len(result.Rows))
		for i, row := range result.Rows {
			rows[i] = make([]string, len(row))
			for j, v := range row {
				rows[i][j] = string(v)
			}
		}
		*answer = rows
		return nil
	}}
}

// serverLost names the loss of a connection for what it is.
func serverLost(err error) error {
	if err == nil {
		return nil
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		if endedByServer(server.Code) {
			return dial.ErrLost
		}
		return err
	}
	if dial.IsLost(err) {
		return dial.ErrLost
	}
	return err
}

// endedByServer reports the codes with which the server ends a session:
// by an administrator, with a crash, when shutting down.
func endedByServer(code string) bool {
	return code == "57P01" || code == "57P02" || code == "57P03" || code == "57P05"
}

var _ readonly.Catalog = (*postgresSession)(nil)
