package driver

import (
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/dial"
)

// EngineOf returns the engine of a dialect, nil where there is none.
func EngineOf(dialect string) engine.Engine {
	switch dialect {
	case "", dial.SQLite:
		return sqlite.Engine{}
	case dial.PostgreSQL:
		return postgres.Engine{}
	case dial.MySQL:
		return mysql.Engine{}
	case dial.SQLServer:
		return mssql.Engine{}
	}
	return nil
}
