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

// mysqlSession is one session for one query. Afterwards it is as new and serves
// another one, or its connection is closed.
type mysqlSession struct {
	conn     driver.Conn
	meter    *dial.RowMeter
	ahead    *dial.MySQLAhead
	id       string // that KILL takes
	is       string // what sessionMySQL says of it
	modes    string // the sql_mode it began with
	database string
	mariadb  bool
	single   bool        // it cannot be made as new
	limit    int64       // seconds that a statement may take; 0: any number
	answered bool        // the server spoke
	judging  bool        // what the query reaches is looked up; it has not run yet
	rest     driver.Rows // that nobody wants; the server may still be at work for us
	idle     *time.Timer // closes it when no query comes
}

// guarded runs f in a session of its own, and once more in another one where
// the server ended the first before the query ran: one that waited may be gone
// meanwhile, and for looking names up see [mysql.WithRetry].
func (d *mysqlDatabase) guarded(ctx context.Context, f func(context.Context, *mysqlSession) error) error {
	s := d.sessions.take()
	for again := true; ; {
		waited := s != nil
		if !waited {
			var err error
			if s, err = d.dial(ctx); err != nil {
				return mysqlLost(err)
			}
		}
		err, answered := d.guardedOn(ctx, s, f)
		if !again || !errors.Is(err, dial.ErrLost) || ctx.Err() != nil || !s.judging && (answered || !waited) {
			return err
		}
		s, again = nil, false
	}
}

// guardedOn runs f in a session that is as new. answered reports that the
// server spoke there: else nothing was done.
func (d *mysqlDatabase) guardedOn(ctx context.Context, s *mysqlSession, f func(context.Context, *mysqlSession) error) (err error, answered bool) {
	s.answered, s.judging = false, false
	// One watch for all that the session does: the driver's would be one for
	// each statement, in another goroutine.
	unwatch := context.AfterFunc(ctx, s.ahead.Close)
	quiet := context.WithoutCancel(ctx)
	if err = d.settle(s); err == nil {
		if err = s.bound(ctx, quiet, d); err == nil {
			err = f(quiet, s)
		}
	}
	ended, exceeded := !unwatch(), err != nil && s.meter.Exceeded()
	answered = s.answered
	switch {
	case ended:
		d.leave(s, true)
	case err == nil && s.rest != nil:
		d.finish(s)
	case err == nil:
		d.keep(s)
	default:
		d.leave(s, s.rest != nil)
	}
	// Here another query may have the session.
	if exceeded {
		return dial.ErrRowTooBig, true // the driver says only that it lost the connection
	}
	if err = mysqlLost(err); ended && errors.Is(err, dial.ErrLost) {
		err = ctx.Err()
	}
	return err, answered
}

// dial returns a new session in its transaction.
func (d *mysqlDatabase) dial(ctx context.Context) (*mysqlSession, error) {
	s := &mysqlSession{meter: dial.NewRowMeter(), ahead: &dial.MySQLAhead{}}
	var err error
	if s.conn, err = d.connector.Connect(s.ahead.NewContext(s.meter.NewContext(ctx))); err != nil {
		return nil, err
	}
	if err = s.begin(ctx, d.limit.Load()); err != nil {
		_ = s.conn.Close() // begin's error says more
		return nil, err
	}
	return s, nil
}

// kill ends a session on the server. The driver only closes its socket, which
// the server does not notice while it computes. The session's connection is
// closed before: no other query can be on it.
func (d *mysqlDatabase) kill(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), cleanWait)
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

// sessionMySQL is an expression for which session it is: its number, and what
// the servers do not reset, or not all of them: database, login, and role, of
// which old servers have none.
const sessionMySQL = `CONCAT_WS(' ', CONNECTION_ID(), HEX(DATABASE()), HEX(CURRENT_USER()), HEX(COALESCE(/*!80000 CURRENT_ROLE(), */ /*M!100005 CURRENT_ROLE(), */ '')))`

// begin sets the session up and opens the transaction. No statement may run
// for more than limit seconds; 0: it is not known yet how long one may.
func (s *mysqlSession) begin(ctx context.Context, limit int64) error {
	const plain = "SELECT CONNECTION_ID(), @@SESSION.sql_mode, VERSION(), COALESCE(DATABASE(), '')"
	rows, err := s.rows(ctx, 6, plain+", COALESCE(@@GLOBAL.init_connect, ''), "+sessionMySQL)
	var e *driversql.MySQLError
	if errors.As(err, &e) { // it knows less than MySQL and MariaDB do
		s.single = true
		rows, err = s.rows(ctx, 4, plain)
	}
	if err != nil {
		return err
	}
	if len(rows) != 1 {
		return dial.BadAnswer("it describes %d sessions", len(rows))
	}
	row := rows[0]
	if _, err := strconv.ParseUint(row[0], 10, 64); err != nil {
		return dial.BadAnswer("the session's number is %s", replytext.Quote(row[0]))
	}
	s.id, s.modes, s.mariadb, s.database, s.limit = row[0], row[1], strings.Contains(row[2], "MariaDB"), row[3], limit
	// What the server has run in each new session, a reset does not repeat.
	if s.single = s.single || !s.ahead.Possible() || row[4] != ""; !s.single {
		s.is = row[5]
	}
	for _, text := range []string{s.modes, s.is} {
		if strings.ContainsAny(text, `'\`) {
			return dial.BadAnswer("the session is described with %s", replytext.Quote(text))
		}
	}
	for _, statement := range s.opening() {
		if err := s.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Values of sql_mode that no server has. One stands for the modes where a
// session is not as new, or where new sessions have other modes than this one
// had, so that the statement fails.
const (
	notNew     = "berth_not_new"
	otherModes = "berth_other_modes"
)

// opening is what sets a session up that is as new, and opens its transaction.
// The variable stands for all state that a reset takes away: what answers for
// the server may say that it did, and not do it.
func (s *mysqlSession) opening() []string {
	modes := "'" + strings.Join(slices.DeleteFunc(strings.Split(s.modes, ","), func(mode string) bool { return !slices.Contains(mysqlModes, mode) }), ",") + "'"
	mark := ""
	if !s.single {
		modes = fmt.Sprintf("IF(@berth IS NULL AND %s = '%s', IF(@@SESSION.sql_mode = '%s', %s, '%s'), '%s')", sessionMySQL, s.is, s.modes, modes, otherModes, notNew)
		mark = ", @berth = 1"
	}
	settings := fmt.Sprintf("SET NAMES utf8mb4, SESSION sql_mode = %s, SESSION lock_wait_timeout = %d, SESSION innodb_lock_wait_timeout = %[2]d%s",
		modes, int(lockWait.Seconds()), mark)
	if s.limit > 0 {
		settings += ", " + s.limited(s.limit)
	}
	return []string{settings, "START TRANSACTION READ ONLY"}
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
func (s *mysqlSession) bound(ctx, quiet context.Context, d *mysqlDatabase) error {
	seconds := int64(time.Hour / time.Second)
	if deadline, ok := ctx.Deadline(); ok {
		seconds = max(int64(math.Ceil(time.Until(deadline).Seconds())), 0) + 1
	}
	if s.limit >= seconds && s.limit <= seconds+limitSlack {
		return nil
	}
	d.limit.Store(seconds)
	return s.exec(quiet, "SET "+s.limited(seconds))
}

func (s *mysqlSession) exec(ctx context.Context, statement string) error {
	_, err := s.conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	s.answered = s.answered || err == nil
	return err
}

// Ask implements [readonly.Catalog]: in one round trip, if nothing encrypts. A
// reset ends what is prepared, so nothing is.
func (s *mysqlSession) Ask(ctx context.Context, questions ...readonly.CatalogQuery) ([][][]string, error) {
	texts, answers := make([]string, len(questions)), make([][][]string, len(questions))
	for i, q := range questions {
		texts[i] = q.Inline()
	}
	for i, sent, size := 0, 0, 0; i < len(questions); i++ {
		if i == sent {
			more, err := s.ahead.Together(texts[i:])
			if err != nil {
				return nil, err
			}
			sent += more
		}
		rows, err := s.rows(ctx, questions[i].Columns, texts[i])
		var e *driversql.MySQLError
		if questions[i].Columns == readonly.AnyColumns && errors.As(err, &e) && !errors.Is(mysqlLost(err), dial.ErrLost) {
			s.answered = true
			rows, err = [][]string{{strconv.Itoa(int(e.Number))}}, nil
		}
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			for _, text := range row {
				size += len(text)
			}
		}
		if size > dial.MaxRowBytes {
			return nil, dial.ErrAnswerTooBig
		}
		answers[i] = rows
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
	n := len(rows.Columns())
	if n != columns && columns != readonly.AnyColumns {
		return nil, dial.BadAnswer("it has %d columns, and %d were asked for", n, columns)
	}
	var all [][]string
	row, size := make([]driver.Value, n), 0
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
