package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
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
