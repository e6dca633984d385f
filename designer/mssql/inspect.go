package mssql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Source is what [Inspect] reads from: a [*sql.DB], a [*sql.Conn] or a
// [*sql.Tx].
type Source interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Inspect reads the whole schema of the current database, with at most thirty
// queries whatever the number of tables. SQL Server offers no consistent view
// of its catalogue: what others change meanwhile may be seen in part.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	c := newCatalog()
	for _, r := range c.readers() {
		if r.when != nil && !r.when() {
			continue
		}
		query := r.query
		if r.text != nil {
			query = r.text()
		}
		if err := each(ctx, src, query, r.row); err != nil {
			return designer.Definition{}, fmt.Errorf("read %s of the schema: %w", r.what, err)
		}
	}
	return c.definition()
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// scan takes the columns of one row.
type scanner func(...any) error

func each(ctx context.Context, src Source, query string, row func(scanner) error) error {
	rows, err := src.QueryContext(ctx, query)
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
