package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// markedCatalogs are the catalogues that [Inspect] reads from.
var markedCatalogs = []string{
	"pg_attrdef", "pg_attribute", "pg_class", "pg_collation", "pg_constraint", "pg_default_acl", "pg_description", "pg_enum", "pg_extension",
	"pg_index", "pg_inherits", "pg_namespace", "pg_partitioned_table", "pg_policy", "pg_proc", "pg_range", "pg_rewrite",
	"pg_sequence", "pg_statistic_ext", "pg_trigger", "pg_type",
}

// markQuery counts the rows of each catalogue and adds up the transactions
// that wrote them. A row that is written again gets a later transaction, so
// with as many rows as before the sum can only grow. What VACUUM and ANALYZE
// note in the catalogues is written in place and leaves both alone. Temporary
// tables of other sessions count too: a change is seen there that is none.
var markQuery = func() string {
	parts := make([]string, len(markedCatalogs))
	for i, name := range markedCatalogs {
		parts[i] = "SELECT count(*) AS n, sum(xmin::text::bigint) AS written FROM pg_catalog." + name
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
