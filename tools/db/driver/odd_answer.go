package driver

import (
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgproto3"
	driverms "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// plainError is an error of a driver in words for people.
type plainError struct {
	words string
	cause error
}

func (e *plainError) Error() string { return e.words }

// Plain is the message.
func (e *plainError) Plain() string { return e.words }

func (e *plainError) Unwrap() error { return e.cause }

// Restate gives words to an error of a driver, or of [database/sql], that
// a server caused and that has none for people. Others stay as they are.
func Restate(err error) error {
	var step *designer.StepError
	var known interface{ Plain() string }
	if failed, ok := err.(*designer.StepError); ok && brokeOff(failed.Err) {
		restated := *failed
		restated.Err = Restate(failed.Err)
		return &restated
	}
	switch {
	case err == nil, errors.As(err, &step), errors.As(err, &known):
		return err
	case strings.HasSuffix(err.Error(), "sql: database is closed"):
		return &plainError{"the connection's settings changed while the call ran; ask again", err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driversql.ErrInvalidConn),
		errors.Is(err, sqldriver.ErrBadConn), strings.Contains(err.Error(), "conn closed"):
		return &plainError{"the connection to the server was lost; it may have been restarted, or the session was ended there", err}
	}
	if what := oddity(err); what != "" {
		return &dial.AnswerError{What: what, Err: err}
	}
	return err
}

// brokeOff reports whether a step failed by its connection, or by an answer
// that is not of the protocol. Other errors of steps are in the server's words
// or in berth's own, and say what is wrong with the step.
func brokeOff(err error) bool {
	var stream driverms.StreamError
	return errors.As(err, &stream) || dial.IsLost(err) || safedriver.IsPanic(err) ||
		errors.Is(err, driversql.ErrInvalidConn) || errors.Is(err, driversql.ErrMalformPkt) || errors.Is(err, driversql.ErrPktSync) || errors.Is(err, driversql.ErrPktSyncMul)
}

// misread are parts of the texts in which drivers say that an answer is not of
// the protocol; they have no types for it.
var misread = []string{"convert field", "invalid message length", "invalid body length", "unknown message type", "body is invalid", "body must have length",
	"unexpected message", "without preceding", "malformed", "unknown column type", "unexpected ", "invalid length", "unknown field type", "unknown type", "is not registered", "argument count mismatch"}

// oddity describes what a server sent; "": err does not say that it is odd.
func oddity(err error) string {
	var big *pgproto3.ExceededMaxBodyLenErr
	var stream driverms.StreamError
	var panicked runtime.Error // that the driver recovered from
	text := err.Error()
	says := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "it has no row where one was asked for"
	case errors.Is(err, dial.ErrAnswerTooBig), errors.As(err, &big):
		return fmt.Sprintf("it is longer than %d MiB, or says so", dial.MaxRowBytes>>20)
	case says("destination arguments in Scan"), says("columns for"):
		return "it has not the columns that were asked for"
	case says("sql: Scan error"), says("invalid syntax"):
		return "a value is not of the kind that was asked for"
	case safedriver.IsPanic(err):
		return "reading it failed, and berth's log has where"
	case errors.As(err, &stream), errors.As(err, &panicked), errors.Is(err, driversql.ErrMalformPkt), errors.Is(err, driversql.ErrPktSync), errors.Is(err, driversql.ErrPktSyncMul),
		slices.ContainsFunc(misread, says):
		return "it is not of the protocol"
	}
	return ""
}

// shaped checks that every row of an answer has n columns.
func shaped[T any](rows [][]T, n int) error {
	for _, row := range rows {
		if len(row) != n {
			return dial.BadAnswer("a row has %d columns, and %d were asked for", len(row), n)
		}
	}
	return nil
}
