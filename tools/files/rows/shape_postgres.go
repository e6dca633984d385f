package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/files/disk"
)

// readPostgres reads the table's columns, its unique indexes, and what narrows
// a search.
func (sh *shape) readPostgres(ctx context.Context, db querier) (unique [][]string, err error) {
	var oid int64
	var kind string
	err = db.QueryRowContext(ctx, "SELECT oid::int8, relkind::text FROM pg_catalog.pg_class WHERE oid = to_regclass($1::text)", sh.table).Scan(&oid, &kind)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, sh.missing()
	case err != nil:
		return nil, err
	case kind != "r" && kind != "p":
		return nil, refuse(disk.Unavailable, "%s of connection %s is no table; files are the rows of a table", sh.opts.Table, sh.opts.Connection)
	}
	err = each(ctx, db, `SELECT attname::text, format_type(atttypid, NULL), format_type(atttypid, atttypmod), attgenerated <> ''
FROM pg_catalog.pg_attribute WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped`, []any{oid}, func(scan func(...any) error) error {
		var name, kind, cast string
		var generated bool
		err := scan(&name, &kind, &cast, &generated)
		sh.columns[name], sh.types[name], sh.generated[name] = kind, cast, generated
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(ctx, db, `SELECT string_agg(a.attname::text, chr(10)) FROM pg_catalog.pg_index i
CROSS JOIN generate_subscripts(i.indkey, 1) n JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[n]
WHERE i.indrelid = $1::oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND n < i.indnkeyatts
GROUP BY i.indexrelid`, []any{oid}, func(scan func(...any) error) error {
		var names string
		err := scan(&names)
		unique = append(unique, strings.Split(names, "\n"))
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, ok := sh.columns[sh.opts.Columns.Content]; !ok { // which check says
		return unique, nil
	}
	return unique, errors.Join(sh.readTrigrams(ctx, db, oid), sh.readRights(ctx, db, oid))
}

// readTrigrams finds an index of pg_trgm on the content, and whether it and
// ILIKE fold letters as the search does at least.
func (sh *shape) readTrigrams(ctx context.Context, db querier, oid int64) error {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var collation string
	var deterministic bool
	err := db.QueryRowContext(ctx, `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.collname), c.collisdeterministic
FROM pg_catalog.pg_index i CROSS JOIN generate_subscripts(i.indkey, 1) k
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k]
JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[k]
JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
WHERE i.indrelid = $1::oid AND i.indisvalid AND i.indpred IS NULL AND a.attname = $2::text AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
LIMIT 1`, oid, sh.opts.Columns.Content).Scan(&collation, &deterministic)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	sh.trigrams = deterministic
	return db.QueryRowContext(ctx, fmt.Sprintf("SELECT lower('%s') = '%s' AND lower('%[1]s' COLLATE %[3]s) = '%[2]s'",
		alphabet, strings.ToLower(alphabet), collation)).Scan(&sh.foldsASCII)
}

// readRights finds out whether the login may write.
func (sh *shape) readRights(ctx context.Context, db querier, oid int64) error {
	var user, readOnly string
	var may bool
	err := db.QueryRowContext(ctx, `SELECT current_user::text, current_setting('transaction_read_only'), has_column_privilege($1::oid, $2::text, 'UPDATE')`,
		oid, sh.opts.Columns.Content).Scan(&user, &readOnly, &may)
	switch {
	case err != nil:
		return err
	case readOnly == "on":
		sh.unchangeable = fmt.Sprintf("the sessions of connection %s are read-only, as on a standby", sh.opts.Connection)
	case sh.generated[sh.opts.Columns.Content]:
		sh.unchangeable = fmt.Sprintf("column %s of table %s is generated", sh.opts.Columns.Content, sh.opts.Table)
	case !may:
		sh.unchangeable = fmt.Sprintf("the login %s of connection %s may read table %s and not change it", user, sh.opts.Connection, sh.opts.Table)
	}
	return nil
}

// each calls row for every row of a query.
func each(ctx context.Context, db querier, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
