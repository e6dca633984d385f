package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Source is what Inspect reads from: a [*sql.DB] or a [*sql.Conn].
type Source interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Inspect reads the whole schema of the main database, in one read
// transaction. SQLite's own tables and the shadow tables of virtual tables
// are left out. Virtual tables are listed among the views: both are carried
// with their text and neither is edited.
//
// It writes nothing. A table that cannot be read, or that no design holds, as
// one with a column that has no name, is among the views too, with the reason:
// see [designer.OptionUnreadTable].
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	tx, err := src.BeginTx(ctx, nil)
	if err != nil {
		return designer.Definition{}, fmt.Errorf("begin reading the schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	cat, err := readCatalog(ctx, tx)
	if err != nil {
		return designer.Definition{}, err
	}
	return cat.definition(), nil
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// querier is a transaction or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls row with every row of a result.
func each(ctx context.Context, q querier, query string, row func(scan func(...any) error) error, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
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
