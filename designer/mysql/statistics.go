package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
)

// Statistics implements [engine.StatisticsReader]: the reads of tables that
// MariaDB counts with userstat on, and MySQL in its performance schema, since
// the server started or they were last reset. The error is
// [errors.ErrUnsupported] where the server counts neither, or does not say.
//
// Both count rows. A read is as many of them as the table has, so that one
// scan of a large table is one read.
func (Engine) Statistics(ctx context.Context, db *sql.DB) (designer.Statistics, error) {
	all := designer.Statistics{Tables: map[designer.TableName]designer.TableStatistics{}}
	var query string
	err := WithRetry(ctx, func() (err error) {
		query, err = countingQuery(ctx, db)
		return err
	})
	if err == nil {
		err = readCounts(ctx, db, query, all)
	}
	if refused := (*mysql.MySQLError)(nil); errors.As(err, &refused) && slices.Contains(notForAll, refused.Number) {
		return designer.Statistics{}, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	if err != nil {
		return designer.Statistics{}, fmt.Errorf("read statistics: %w", err)
	}
	return all, nil
}

// notForAll are the numbers of refusals to a login that may not see counts:
// of a database, of a table, and for want of a privilege.
var notForAll = []uint16{1044, 1142, 1227}

// countingQuery returns the query of what the server counts.
func countingQuery(ctx context.Context, q Querier) (string, error) {
	on, err := statuses(ctx, q, "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('userstat', 'performance_schema')")
	switch {
	case err != nil:
		return "", err
	case on["userstat"] == "ON":
		return userCounts, nil
	case on["performance_schema"] != "ON":
		return "", errors.ErrUnsupported
	}
	var instruments int
	if err := q.QueryRowContext(ctx, countingInstruments).Scan(&instruments); err != nil {
		return "", err
	}
	lost, err := statuses(ctx, q, "SHOW GLOBAL STATUS WHERE Variable_name = 'Performance_schema_table_instances_lost'")
	if err == nil && (instruments != 2 || lost["Performance_schema_table_instances_lost"] != "0") {
		err = errors.ErrUnsupported // a table of which nothing is known would look unused
	}
	return performanceCounts, err
}

// statuses reads what a SHOW statement says, by name.
func statuses(ctx context.Context, q Querier, statement string) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	all := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, rows.Err()
}

func readCounts(ctx context.Context, q Querier, query string, all designer.Statistics) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for rows.Next() {
		var name designer.TableName
		var c designer.TableStatistics
		var read int64
		if err := rows.Scan(&name.Schema, &name.Name, &c.Rows, &c.Bytes, &c.IndexBytes, &read); err != nil {
			return err
		}
		scan := max(c.Rows, 1)
		c.Reads = (read + scan - 1) / scan
		all.Tables[name] = c
	}
	return rows.Err()
}

// countedTables begins a query of a database's tables; the rows that were read
// of each follow.
const countedTables = `SELECT t.TABLE_SCHEMA, t.TABLE_NAME, COALESCE(t.TABLE_ROWS, 0), COALESCE(t.DATA_LENGTH, 0), COALESCE(t.INDEX_LENGTH, 0), `

const (
	userCounts = countedTables + `COALESCE(s.ROWS_READ, 0)
FROM information_schema.TABLES t LEFT JOIN information_schema.TABLE_STATISTICS s ON s.TABLE_SCHEMA = t.TABLE_SCHEMA AND s.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE NOT IN ('VIEW', 'SYSTEM VIEW', 'SEQUENCE')`

	performanceCounts = countedTables + `COALESCE(s.COUNT_READ, 0)
FROM information_schema.TABLES t LEFT JOIN performance_schema.table_io_waits_summary_by_table s ON s.OBJECT_SCHEMA = t.TABLE_SCHEMA AND s.OBJECT_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE NOT IN ('VIEW', 'SYSTEM VIEW', 'SEQUENCE')`

	// countingInstruments counts the two settings without which the
	// performance schema is there and counts no reads of tables.
	countingInstruments = `SELECT (SELECT COUNT(*) FROM performance_schema.setup_instruments WHERE NAME = 'wait/io/table/sql/handler' AND ENABLED = 'YES')
  + (SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE NAME = 'global_instrumentation' AND ENABLED = 'YES')`
)
