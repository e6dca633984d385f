package driver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// mysqlSession is one session for one query, on a connection that nobody had
// before and nobody gets after it: the server's versions have no common way
// to make a used one as new.
type mysqlSession struct {
	conn     driver.Conn
	meter    *dial.RowMeter
	id       string // that KILL takes
	database string
	mariadb  bool
	limit    int64 // seconds that a statement may take; 0: any number
	answered bool  // the server spoke
	judging  bool  // what the query reaches is looked up; it has not run yet
	// left behind: the server may still be at work for us.
	abandoned bool
}

// guarded runs f in a session of its own, and once more in another one where
// the server ended the first before the query ran: a spare one may be gone
// meanwhile, and for looking names up see [mysql.WithRetry].
func (d *mysqlDatabase) guarded(ctx context.Context, f func(*mysqlSession) error) error {
	defer d.spare.refill()
	conn := d.spare.take()
	for again := true; ; {
		spare := conn != nil
		if !spare {
			var err error
			if conn, err = d.dial(ctx); err != nil {
				return mysqlLost(err)
			}
		}
		err, answered := d.guardedOn(ctx, conn, f)
		judging := conn.session.judging
		if !again || !errors.Is(err, dial.ErrLost) || ctx.Err() != nil || !judging && (answered || !spare) {
			return err
		}
		conn, again = nil, false
	}
}

// guardedOn runs f on a connection that nobody has used. answered reports that
// the server spoke there: else nothing was done.
func (d *mysqlDatabase) guardedOn(ctx context.Context, conn *unusedConn, f func(*mysqlSession) error) (err error, answered bool) {
	s := conn.session
	defer func() { _ = conn.Close() }() // it is not used again; that ends the transaction too
	s.answered = false
	if err = s.bound(ctx, d); err == nil {
		err = f(s)
	}
	if s.abandoned || ctx.Err() != nil {
		d.kill(ctx, s.id)
	}
	if err != nil && s.meter.Exceeded() {
		return dial.ErrRowTooBig, true // the driver says only that it lost the connection
	}
	return mysqlLost(err), s.answered
}

// dial returns an unused connection in its transaction.
func (d *mysqlDatabase) dial(ctx context.Context) (*unusedConn, error) {
	conn, err := dialUnused(ctx, d.connector)
	if err != nil {
		return nil, err
	}
	conn.session = &mysqlSession{conn: conn.Conn, meter: conn.meter}
	if err := conn.session.begin(ctx, d.limit.Load()); err != nil {
		_ = conn.Close() // begin's error says more
		return nil, err
	}
	return conn, nil
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

// begin sets the session up and opens the transaction. No statement may run
// for more than limit seconds; 0: it is not known yet how long one may.
func (s *mysqlSession) begin(ctx context.Context, limit int64) error {
	rows, err := s.rows(ctx, 4, "SELECT CONNECTION_ID(), @@SESSION.sql_mode, VERSION(), COALESCE(DATABASE(), '')")
	if err != nil {
		return err
	}
	if len(rows) != 1 {
		return dial.BadAnswer("it describes %d sessions", len(rows))
	}
	if _, err := strconv.ParseUint(rows[0][0], 10, 64); err != nil {
		return dial.BadAnswer("the session's number is %s", replytext.Quote(rows[0][0]))
	}
	s.id, s.mariadb, s.database = rows[0][0], strings.Contains(rows[0][2], "MariaDB"), rows[0][3]
	modes := slices.DeleteFunc(strings.Split(rows[0][1], ","), func(mode string) bool { return !slices.Contains(mysqlModes, mode) })
	settings := fmt.Sprintf("SET SESSION sql_mode = '%s', SESSION lock_wait_timeout = %d, SESSION innodb_lock_wait_timeout = %[2]d",
		strings.Join(modes, ","), int(lockWait.Seconds()))
	if limit > 0 {
		settings += ", " + s.limited(limit)
	}
	return errors.Join(s.exec(ctx, settings), s.exec(ctx, "START TRANSACTION READ ONLY"))
}

// limited is the setting that bounds a statement to seconds.
func (s *mysqlSession) limited(seconds int64) string {
	s.limit = seconds
	if s.mariadb {
		return fmt.Sprintf("SESSION max_statement_time = %d", seconds)
	}
	return fmt.Sprintf("SESSION max_execution_time = %d", seconds*1000)
}

// limitSlack is how much longer than its caller waits a statement may run on
// the server, in seconds: the server's limit only ends what nobody is left to
// end.
const limitSlack = 5

// bound has the server end a statement after ctx's deadline, which says why
// first. The next connection is made with the same limit.
func (s *mysqlSession) bound(ctx context.Context, d *mysqlDatabase) error {
	seconds := int64(time.Hour / time.Second)
	if deadline, ok := ctx.Deadline(); ok {
		seconds = max(int64(math.Ceil(time.Until(deadline).Seconds())), 0) + 1
	}
	if s.limit >= seconds && s.limit <= seconds+limitSlack {
		return nil
	}
	d.limit.Store(seconds)
	return s.exec(ctx, "SET "+s.limited(seconds))
}

func (s *mysqlSession) exec(ctx context.Context, statement string) error {
	_, err := s.conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	s.answered = s.answered || err == nil
	return err
}

// Ask implements [readonly.Catalog]. No session is asked twice, so nothing
// is prepared.
func (s *mysqlSession) Ask(ctx context.Context, questions ...readonly.CatalogQuery) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	for i, q := range questions {
		var err error
		if answers[i], err = s.rows(ctx, q.Columns, q.Inline()); err != nil {
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
	s.answered = true
	defer s.meter.Done()
	defer func() { _ = rows.Close() }() // read to its end
	if n := len(rows.Columns()); n != columns {
		return nil, dial.BadAnswer("it has %d columns, and %d were asked for", n, columns)
	}
	var all [][]string
	row, size := make([]driver.Value, columns), 0
	for {
		if err := rows.Next(row); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		s.meter.Next()
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = plainText(v)
			size += len(texts[i]) + 16
		}
		if size > dial.MaxRowBytes {
			return nil, dial.ErrAnswerTooBig
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
	case uint64:
		return strconv.FormatUint(v, 10)
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
			return dial.ErrLost
		}
		return err
	case errors.Is(err, driversql.ErrInvalidConn), errors.Is(err, driversql.ErrMalformPkt), dial.IsLost(err):
		return dial.ErrLost
	}
	return err
}
