package sqlite

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// leftOut notes what the script made that no definition holds: rows, and what
// is gone with the connection.
func leftOut(ctx context.Context, m *memory, loaded *designer.LoadResult) error {
	for _, t := range loaded.Tables {
		var rows int
		if err := m.QueryRowContext(ctx, "SELECT count(*) FROM main."+ident(t.Name)).Scan(&rows); err != nil {
			return fmt.Errorf("count the rows of table %s: %w", t.Name, err)
		}
		loaded.Omit("row", t.Name, rows)
	}
	rows, err := m.QueryContext(ctx, "SELECT type, name FROM temp.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
	if err != nil {
		return fmt.Errorf("list temporary objects: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			return fmt.Errorf("list temporary objects: %w", err)
		}
		loaded.Omit("temporary "+kind, name, 1)
	}
	return rows.Err()
}
