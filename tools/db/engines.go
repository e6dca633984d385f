package db

import (
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

// engineOf returns the engine of a dialect, nil where there is none.
func engineOf(dialect string) engine.Engine {
	switch dialect {
	case "", dialectSQLite:
		return sqlite.Engine{}
	case dialectPostgres:
		return postgres.Engine{}
	case dialectMySQL:
		return mysql.Engine{}
	case dialectMSSQL:
		return mssql.Engine{}
	}
	return nil
}
