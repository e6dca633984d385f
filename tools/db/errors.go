package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	driverms "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// usageError is a mistake in a call.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// Plain is the message.
func (e *usageError) Plain() string { return replytext.Shown(e.message) }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// timeoutError ends a statement that ran for too long.
type timeoutError struct{ after time.Duration }

// Plain is the message.
func (e *timeoutError) Plain() string { return e.Error() }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("the statement was ended after its time limit of %v; ask for less, or raise timeout in the project's settings", e.after)
}

// fail makes the reply of an error: plain text, in words of the caller's
// level. Only a database that cannot be opened has the document's sentence,
// with its cause behind it.
func fail(err error) tools.Reply {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return tools.Reply{Content: []string{catalog.TextFailure, replytext.Shown(connect.Error())}, IsError: true}
	}
	return tools.Reply{Content: []string{replytext.Shown(message(err))}, IsError: true}
}

func message(err error) string {
	var sqlite *rosqlite.Error
	var postgres *pgconn.PgError
	var mysql *driversql.MySQLError
	var unmade *unmadeError
	var unsettled *unsettledError
	var mssql driverms.Error
	switch {
	case errors.As(err, &unmade):
		return unmade.Error()
	case errors.As(err, &unsettled):
		return unsettled.Error()
	case errors.As(err, &postgres):
		return postgresMessage(postgres)
	case errors.As(err, &mssql):
		return mssqlMessage(mssql)
	case errors.As(err, &mysql):
		return "MySQL: " + mysql.Message
	case errors.As(err, &sqlite) && sqlite.Unavailable():
		return "SQLite: " + sqlite.Explanation()
	case errors.As(err, &sqlite) && sqlite.TooBig():
		return "SQLite: a value is longer than 4 MiB, which is the limit here; leave its column out"
	case errors.As(err, &sqlite):
		return "SQLite: " + sqlite.Message
	case errors.Is(err, context.Canceled):
		return "the query was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "the query was not answered before the caller's deadline"
	}
	return err.Error()
}
