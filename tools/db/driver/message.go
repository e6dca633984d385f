package driver

import (
	"context"
	"errors"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	driverms "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// Message returns the server's own words where err is its answer, and
// err's where it is not.
func Message(err error) string {
	var sqlite *rosqlite.Error
	var postgres *pgconn.PgError
	var mysql *driversql.MySQLError
	var mssql driverms.Error
	switch {
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
