package postgres

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Statistics implements [engine.StatisticsReader]: what the server counted
// since its statistics were last reset, and what ANALYZE found of columns.
func (Engine) Statistics(ctx context.Context, db *sql.DB) (designer.Statistics, error) {
	all := designer.Statistics{Tables: map[designer.TableName]designer.TableStatistics{}}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return all, fmt.Errorf("begin reading statistics: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	err = each(ctx, tx, tableCounts, func(scan scanner) error {
		var name designer.TableName
		c := designer.TableStatistics{IndexReads: map[string]int64{}}
		err := scan(&name.Schema, &name.Name, &c.Rows, &c.DeadRows, &c.Reads, &c.Bytes, &c.IndexBytes)
		all.Tables[name] = c
		return err
	})
	if err == nil {
		err = each(ctx, tx, indexCounts, func(scan scanner) error {
			var name designer.TableName
			var index string
			var reads int64
			err := scan(&name.Schema, &name.Name, &index, &reads)
			if c, ok := all.Tables[name]; ok && err == nil {
				c.IndexReads[index] = reads
			}
			return err
		})
	}
	if err == nil {
		err = each(ctx, tx, emptyColumns, func(scan scanner) error {
			var name designer.TableName
			var column string
			err := scan(&name.Schema, &name.Name, &column)
			if c, ok := all.Tables[name]; ok && err == nil {
				c.Empty = append(c.Empty, column)
				all.Tables[name] = c
			}
			return err
		})
	}
	if err != nil {
		return designer.Statistics{}, fmt.Errorf("read statistics: %w", err)
	}
	return all, nil
}

// tableCounts leaves out tables that were never analyzed, whose number of rows
// is unknown.
const tableCounts = `SELECT s.schemaname, s.relname, greatest(s.n_live_tup, c.reltuples::bigint, 0), s.n_dead_tup,
	coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0), pg_relation_size(s.relid), pg_indexes_size(s.relid)
FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
WHERE s.last_analyze IS NOT NULL OR s.last_autoanalyze IS NOT NULL`

const indexCounts = `SELECT schemaname, relname, indexrelname, idx_scan FROM pg_stat_user_indexes`

const emptyColumns = `SELECT schemaname, tablename, attname FROM pg_stats
WHERE null_frac = 1 AND schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2, 3`
