package pool

import (
	"errors"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	driverms "github.com/microsoft/go-mssqldb"
	driversqlite "modernc.org/sqlite"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// serverError is a server's answer with words for everyone: the server's own,
// without what the driver may know of the connection.
type serverError struct {
	words string
	err   error
}

func (e *serverError) Error() string { return e.err.Error() }

// Plain is what may be said of it.
func (e *serverError) Plain() string { return e.words }

// ServersAnswer marks it as one: the server was reached.
func (e *serverError) ServersAnswer() {}

func (e *serverError) Unwrap() error { return e.err }

// Explain names the connection in an error, and gives a server's answer words
// for everyone. What is neither stays as it is.
func (cfg Config) Explain(err error) error {
	var connect *dial.ConnectError
	if err == nil || errors.As(err, &connect) {
		return cfg.Annotate(err)
	}
	if words := serverWords(err); words != "" {
		return &serverError{replytext.Shown("connection " + replytext.Quote(cfg.Name) + ": " + words), err}
	}
	return err
}

// serverWords is what a server answered; "": it is not a server's answer.
func serverWords(err error) string {
	var read *rosqlite.Error
	var write *driversqlite.Error
	var postgres *pgconn.PgError
	var mysql *driversql.MySQLError
	var mssql driverms.Error
	var plain interface{ Plain() string }
	switch {
	case errors.As(err, &plain):
		return plain.Plain()
	case errors.As(err, &read), errors.As(err, &postgres), errors.As(err, &mysql), errors.As(err, &mssql):
		return Message(err)
	case errors.As(err, &write):
		return "SQLite: " + write.Error()
	}
	return ""
}

// Annotate puts the connection's name into an error of opening it.
func (cfg Config) Annotate(err error) error {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return &dial.ConnectError{Connection: cfg.Name, Cause: connect.Cause, Fix: connect.Fix}
	}
	return err
}
