package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Load implements [engine.Engine]. The script runs in a database in memory,
// whatever db is, and reaches no file. What it needs beyond SQLite itself and
// what comes with the driver (FTS5, R*Tree) it does not find.
func (Engine) Load(ctx context.Context, _ *sql.DB, script string) (loaded designer.LoadResult, err error) {
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
