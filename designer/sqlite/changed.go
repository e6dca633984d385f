package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
)

// Querier is what [Mark] asks: a *sql.DB or a *sql.Conn.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Mark returns a text that is another one once the schema has changed. It is a
// digest of the schema table itself, which holds the text of everything that
// [Inspect] reads. The file's own schema cookie is a counter that two files
// can share, so a file put in the place of another one would go unseen.
func Mark(ctx context.Context, q Querier) (string, error) {
	rows, err := q.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema")
	if err != nil {
		return "", fmt.Errorf("read the schema's mark: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	digest := sha256.New()
	var kind, name, table, text sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&kind, &name, &table, &text); err != nil {
			return "", fmt.Errorf("read the schema's mark: %w", err)
		}
		fmt.Fprintf(digest, "%d %d %d %d ", len(kind), len(name), len(table), len(text))
		for _, part := range []sql.RawBytes{kind, name, table, text} {
			_, _ = digest.Write(part) // never fails
		}
	}
	if err := rows.Err(); err != nil {
		return "", fmt.Errorf("read the schema's mark: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// Mark implements [engine.Engine].
func (Engine) Mark(ctx context.Context, db *sql.DB) (string, error) { return Mark(ctx, db) }
