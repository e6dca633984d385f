package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/designer"
)

// Source is what Inspect reads from: a [*sql.DB] or a [*sql.Conn] of the
// driver pgx.
type Source interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Inspect reads the whole schema of the connection's database, in one
// read-only transaction. What belongs to the server or to an extension is
// left out; partitions are carried as objects, foreign tables among the views.
// Passwords are not read: of what may hold one there is the name.
//
// It writes nothing.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	const attempts = 3
	for n := 1; ; n++ {
		def, err := inspectOnce(ctx, src)
		if err == nil || n == attempts || !changedMeanwhile(err) {
			return def, err
		}
	}
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// changedMeanwhile reports whether an error comes of something that went while
// it was read: the server's own functions see each change at once, also in
// the middle of a transaction.
func changedMeanwhile(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "XX000", "42P01", "42703", "42704", "42883": // internal error; undefined table, column, object, function
		return true
	}
	return false
}

func inspectOnce(ctx context.Context, src Source) (designer.Definition, error) {
	tx, err := src.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return designer.Definition{}, fmt.Errorf("begin reading the schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	c, err := readCatalog(ctx, tx)
	if err != nil {
		return designer.Definition{}, err
	}
	return c.definition(), nil
}

// version is a server's version number: 150020 is 15.20.
type version int

// oldest is the first version that is served.
const oldest = 12

// since chooses between what a major version brought and what stands for it
// before.
func (v version) since(major int, then, before string) string {
	if int(v) >= major*10000 {
		return then
	}
	return before
}

// readSettings makes the settings and returns the server's version.
func readSettings(ctx context.Context, tx *sql.Tx) (version, error) {
	var v version
	var ignored [11]string
	row := []any{&v}
	for i := range ignored {
		row = append(row, &ignored[i])
	}
	if err := tx.QueryRowContext(ctx, settingsQuery).Scan(row...); err != nil {
		return 0, fmt.Errorf("prepare reading the schema: %w", err)
	}
	if v < oldest*10000 {
		return 0, fmt.Errorf("read the schema: the server's version is %d, and the oldest served is %d", v/10000, oldest)
	}
	return v, nil
}

// scanner reads the columns of one row.
type scanner func(...any) error

func each(ctx context.Context, tx *sql.Tx, query string, row func(scanner) error) error {
	rows, err := tx.QueryContext(ctx, query)
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
