package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Load implements [engine.Engine]. The script runs in a database in memory,
// whatever db is, and reaches no file. What it needs beyond SQLite itself and
// what comes with the driver (FTS5, R*Tree) it does not find. What is wrong with
// the script is a [*designer.ScriptError].
func (Engine) Load(ctx context.Context, _ *sql.DB, script string) (loaded designer.LoadResult, err error) {
	if err := checkScript(script); err != nil {
		return loaded, err
	}
	m, err := openMemory(ctx)
	if err != nil {
		return loaded, err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	for _, st := range splitScript(script) {
		if _, err := m.ExecContext(ctx, st.text); err != nil {
			return loaded, refusalOf(ctx, m, script, st, err)
		}
	}
	// A dump writes virtual tables into the schema itself, which has to be read
	// again then.
	if _, err := m.ExecContext(ctx, "PRAGMA writable_schema = RESET"); err != nil {
		return loaded, fmt.Errorf("read the schema again: %w", err)
	}
	if loaded.Definition, err = Inspect(ctx, m); err != nil {
		return loaded, err
	}
	return loaded, leftOut(ctx, m, &loaded)
}
