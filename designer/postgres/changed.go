package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// markedCatalogs are the catalogues that [Inspect] reads from, but for those
// whose rows come and go with the rows of these, and what all databases share.
var markedCatalogs = []string{
	"pg_aggregate", "pg_am", "pg_amop", "pg_amproc", "pg_attrdef", "pg_attribute", "pg_cast", "pg_class", "pg_collation", "pg_constraint",
	"pg_conversion", "pg_default_acl", "pg_description", "pg_enum", "pg_event_trigger", "pg_extension", "pg_foreign_data_wrapper",
	"pg_foreign_server", "pg_foreign_table", "pg_index", "pg_inherits", "pg_language", "pg_namespace", "pg_opclass", "pg_operator",
	"pg_opfamily", "pg_partitioned_table", "pg_policy", "pg_proc", "pg_publication", "pg_publication_rel", "pg_range", "pg_rewrite",
	"pg_seclabel", "pg_sequence", "pg_statistic_ext", "pg_transform", "pg_trigger", "pg_ts_config", "pg_ts_config_map", "pg_ts_dict",
	"pg_ts_parser", "pg_ts_template", "pg_type",
}

// markedNames stand for catalogues that have secrets, so that not every login
// may ask what wrote their rows. Their names are all that [Inspect] reads.
var markedNames = map[string]string{
	"pg_subscription":  "subdbid::text || subname",
	"pg_user_mappings": "umid::text || usename",
}

// markedDependencies are those of catalogues that not every version of the
// server has, by the number that such a catalogue has in all of them.
var markedDependencies = []int{6237} // pg_publication_namespace

// markQuery counts the rows of each catalogue and adds up the transactions
// that wrote them. A row that is written again gets a later transaction, so
// with as many rows as before the sum can only grow. What VACUUM and ANALYZE
// note in the catalogues is written in place and leaves both alone. Temporary
// tables of other sessions count too: a change is seen there that is none.
var markQuery = func() string {
	var parts []string
	for _, name := range markedCatalogs {
		parts = append(parts, "SELECT count(*) AS n, sum(xmin::text::bigint) AS written FROM pg_catalog."+name)
	}
	for _, name := range slices.Sorted(maps.Keys(markedNames)) {
		parts = append(parts, "SELECT count(*), sum(hashtext("+markedNames[name]+")) FROM pg_catalog."+name)
	}
	for _, number := range markedDependencies {
		parts = append(parts, fmt.Sprintf("SELECT count(*), sum(xmin::text::bigint) FROM pg_catalog.pg_depend WHERE classid = %d", number))
	}
	return "SELECT string_agg(n || ':' || coalesce(written, 0), ' ') FROM (\n" + strings.Join(parts, "\nUNION ALL ") + ") AS catalogs"
}()

// Querier is what [Mark] asks: a *sql.DB, *sql.Conn or *sql.Tx.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Mark returns a text that is another one once the schema has changed. The
// query takes a few milliseconds with 1,000 tables, where reading them takes a
// hundred.
func Mark(ctx context.Context, q Querier) (string, error) {
	var mark string
	if err := q.QueryRowContext(ctx, markQuery).Scan(&mark); err != nil {
		return "", fmt.Errorf("read the schema's mark: %w", err)
	}
	return mark, nil
}

// Mark implements [engine.Engine].
func (Engine) Mark(ctx context.Context, db *sql.DB) (string, error) { return Mark(ctx, db) }

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
