package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Load implements [engine.Engine]. The script runs in a database in memory,
// whatever db is, and reaches no file. What it needs beyond SQLite itself and
// what comes with the driver (FTS5, R*Tree) it does not find.
func (Engine) Load(ctx context.Context, _ *sql.DB, script string) (loaded designer.Loaded, err error) {
	if err := checkScript(script); err != nil {
		return loaded, err
	}
	m, err := openMemory(ctx)
	if err != nil {
		return loaded, err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	if _, err := m.ExecContext(ctx, script); err != nil {
		return loaded, fmt.Errorf("run the script: %w", err)
	}
	if loaded.Definition, err = Inspect(ctx, m); err != nil {
		return loaded, err
	}
	return loaded, leftOut(ctx, m, &loaded)
}

// leftOut notes what the script made that no definition holds: rows, and what
// is gone with the connection.
func leftOut(ctx context.Context, m *memory, loaded *designer.Loaded) error {
	for _, t := range loaded.Tables {
		var rows int
		if err := m.QueryRowContext(ctx, "SELECT count(*) FROM main."+ident(t.Name)).Scan(&rows); err != nil {
			return fmt.Errorf("count the rows of table %s: %w", t.Name, err)
		}
		loaded.LeaveOut("row", t.Name, rows)
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
		loaded.LeaveOut("temporary "+kind, name, 1)
	}
	return rows.Err()
}

// checkScript refuses pragmas that reach beyond the script's own database:
// limits of the whole process, and folders of files.
func checkScript(script string) error {
	tokens := sqltext.SQLite().Significant(script)
	for i, t := range tokens {
		if !t.Is("PRAGMA") || i+1 == len(tokens) {
			continue
		}
		name := tokens[i+1]
		if i+3 < len(tokens) && tokens[i+2].Is(".") {
			name = tokens[i+3]
		}
		switch strings.ToLower(name.Name) {
		case "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory", "max_page_count":
			return fmt.Errorf("the script sets PRAGMA %s, which reaches beyond its own database: leave it out", name.Name)
		}
	}
	return nil
}
