package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// mysqlSession is one session for one query, on a connection that nobody had
// before and nobody gets after it: the server's versions have no common way
// to make a used one as new.
type mysqlSession struct {
	conn     driver.Conn
	meter    *rowMeter
	id       string // that KILL takes
	database string
	mariadb  bool
	// left behind: the server may still be at work for us.
	abandoned bool
}

// guarded runs f in a session of its own.
func (d *mysqlDatabase) guarded(ctx context.Context, f func(*mysqlSession) error) error {
	s, err := d.begun(ctx)
	if err != nil {
		return err
	}
	defer d.spare.refill()
	defer func() { _ = s.conn.Close() }() // it is not used again
	err = f(s)
	if s.id != "" && (s.abandoned || ctx.Err() != nil) {
		d.kill(ctx, s.id)
	} else {
		_ = s.exec(ctx, "ROLLBACK") // closing does it too
	}
	if err != nil && s.meter.spent() {
		return errRowTooBig // the driver says only that it lost the connection
	}
	return mysqlLost(err)
}

// begun returns a session in its transaction, on the spare connection where
// that is there and alive.
func (d *mysqlDatabase) begun(ctx context.Context) (*mysqlSession, error) {
	for conn := d.spare.take(); ; conn = nil {
		var err error
		spare := conn != nil
		if !spare {
			if conn, err = dialUnused(ctx, d.connector); err != nil {
				return nil, err
			}
		}
		s := &mysqlSession{conn: conn.Conn, meter: conn.meter}
		if err = s.begin(ctx); err == nil {
			return s, nil
		}
		_ = conn.Close() // begin's error says more
		if !spare || ctx.Err() != nil {
			return nil, mysqlLost(err)
		}
	}
}

// kill ends a session on the server. The driver only closes its socket, which
// the server does not notice while it computes.
func (d *mysqlDatabase) kill(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWait)
	defer cancel()
	conn, err := d.connector.Connect(ctx)
	if err != nil {
		return // max_statement_time ends it
	}
	defer func() { _ = conn.Close() }()                   // nothing is left to say
	_ = (&mysqlSession{conn: conn}).exec(ctx, "KILL "+id) // it may have ended by now
}

// mysqlModes are the sql_modes that do not change how text is read. Of the
// session's own these are kept.
var mysqlModes = strings.Fields(`ALLOW_INVALID_DATES EMPTY_STRING_IS_NULL ERROR_FOR_DIVISION_BY_ZERO HIGH_NOT_PRECEDENCE IGNORE_SPACE
NO_AUTO_CREATE_USER NO_AUTO_VALUE_ON_ZERO NO_ENGINE_SUBSTITUTION NO_UNSIGNED_SUBTRACTION NO_ZERO_DATE NO_ZERO_IN_DATE ONLY_FULL_GROUP_BY
PAD_CHAR_TO_FULL_LENGTH PIPES_AS_CONCAT REAL_AS_FLOAT SIMULTANEOUS_ASSIGNMENT STRICT_ALL_TABLES STRICT_TRANS_TABLES TIME_ROUND_FRACTIONAL
TIME_TRUNCATE_FRACTIONAL`)

// begin sets the session up and opens the transaction.
func (s *mysqlSession) begin(ctx context.Context) error {
	rows, err := s.rows(ctx, 4, "SELECT CONNECTION_ID(), @@SESSION.sql_mode, VERSION(), COALESCE(DATABASE(), '')")
	if err != nil {
		return err
	}
	if len(rows) != 1 {
		return oddAnswer("it describes %d sessions", len(rows))
	}
	if _, err := strconv.ParseUint(rows[0][0], 10, 64); err != nil {
		return oddAnswer("the session's number is %s", replytext.Quote(rows[0][0]))
	}
	s.id, s.mariadb, s.database = rows[0][0], strings.Contains(rows[0][2], "MariaDB"), rows[0][3]
	modes := slices.DeleteFunc(strings.Split(rows[0][1], ","), func(mode string) bool { return !slices.Contains(mysqlModes, mode) })
	limit := time.Hour
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(time.Until(deadline)+time.Second, time.Second) // after our own, which says why
	}
	timeout := fmt.Sprintf("max_execution_time = %d", limit.Milliseconds())
	if s.mariadb {
		timeout = fmt.Sprintf("max_statement_time = %.3f", limit.Seconds())
	}
	settings := fmt.Sprintf("SET SESSION sql_mode = '%s', SESSION lock_wait_timeout = %d, SESSION innodb_lock_wait_timeout = %[2]d, SESSION %s",
		strings.Join(modes, ","), int(lockWait.Seconds()), timeout)
	return errors.Join(s.exec(ctx, settings), s.exec(ctx, "START TRANSACTION READ ONLY"))
}

func (s *mysqlSession) exec(ctx context.Context, statement string) error {
	_, err := s.conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	return err
}

// Ask implements [readonly.Catalogue]. Questions have no arguments here.
func (s *mysqlSession) Ask(ctx context.Context, questions ...readonly.Question) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	for i, q := range questions {
		var err error
		if answers[i], err = s.rows(ctx, q.Columns, q.SQL); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// rows runs one short query of this package's own, whose rows have the given
// number of columns. NULL is "".
func (s *mysqlSession) rows(ctx context.Context, columns int, query string) ([][]string, error) {
	rows, err := s.conn.(driver.QueryerContext).QueryContext(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // read to its end
	if n := len(rows.Columns()); n != columns {
		return nil, oddAnswer("it has %d columns, and %d were asked for", n, columns)
	}
	var all [][]string
	row, size := make([]driver.Value, columns), 0
	for {
		if err := rows.Next(row); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		s.meter.next()
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = plainText(v)
			size += len(texts[i]) + 16
		}
		if size > maxRowBytes {
			return nil, errAnswerTooBig
		}
		all = append(all, texts)
	}
}

func plainText(v driver.Value) string {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

// mysqlLost names the loss of a connection for what it is.
func mysqlLost(err error) error {
	var e *driversql.MySQLError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		if slices.Contains([]uint16{1053, 1317, 1927, 3169}, e.Number) { // shutdown, killed
			return errLost
		}
		return err
	case errors.Is(err, driversql.ErrInvalidConn), errors.Is(err, driversql.ErrMalformPkt), lost(err):
		return errLost
	}
	return err
}
