package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	mssql "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/designer"
)

// Statistics implements [engine.StatisticsReader]: how often tables were read
// since the server started or opened the database, which it may close while
// nobody uses it. The error is [errors.ErrUnsupported] where the login may not
// see the state of the server, or the server does not count.
func (Engine) Statistics(ctx context.Context, db *sql.DB) (designer.Statistics, error) {
	all := designer.Statistics{Tables: map[designer.TableName]designer.TableStatistics{}}
	err := each(ctx, db, tableCounts, func(scan scanner) error {
		var name designer.TableName
		var c designer.TableStatistics
		err := scan(&name.Schema, &name.Name, &c.Rows, &c.Reads)
		all.Tables[name] = c
		return err
	})
	if refused := (mssql.Error{}); errors.As(err, &refused) && slices.Contains(notForAll, refused.Number) {
		return designer.Statistics{}, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	if err != nil {
		return designer.Statistics{}, fmt.Errorf("read statistics: %w", err)
	}
	return all, nil
}

// notForAll are the numbers of refusals to a login that may not see the state
// of the server (297, 300) or of the database (262), and of a server that has
// no such view (208).
var notForAll = []int32{208, 262, 297, 300}

// tableCounts adds up what the server counted of a table's rows and of each of
// its indexes. What it has no line of was not touched.
const tableCounts = `SELECT s.name, t.name,
  COALESCE((SELECT SUM(p.rows) FROM sys.partitions AS p WHERE p.object_id = t.object_id AND p.index_id IN (0, 1)), 0),
  COALESCE((SELECT SUM(u.user_seeks + u.user_scans + u.user_lookups) FROM sys.dm_db_index_usage_stats AS u
    WHERE u.database_id = DB_ID() AND u.object_id = t.object_id), 0)
FROM sys.tables AS t JOIN sys.schemas AS s ON s.schema_id = t.schema_id
WHERE t.is_ms_shipped = 0
ORDER BY s.name, t.name`
