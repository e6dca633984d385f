package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqlite/lex"
)

// Load implements [engine.Engine]. The script runs in a database in memory,
// whatever db is, and reaches no file. What it needs beyond SQLite itself and
// what comes with the driver (FTS5, R*Tree) it does not find.
func (Engine) Load(ctx context.Context, _ *sql.DB, script string) (designer.Definition, error) {
	if err := checkScript(script); err != nil {
		return designer.Definition{}, err
	}
	m, err := openMemory(ctx)
	if err != nil {
		return designer.Definition{}, err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	if _, err := m.ExecContext(ctx, script); err != nil {
		return designer.Definition{}, fmt.Errorf("run the script: %w", err)
	}
	return Inspect(ctx, m)
}

// checkScript refuses pragmas that reach beyond the script's own database:
// limits of the whole process, and folders of files.
func checkScript(script string) error {
	tokens := lex.Significant(script)
	for i, t := range tokens {
		if !t.Is("PRAGMA") || i+1 == len(tokens) {
			continue
		}
		name := tokens[i+1]
		if i+3 < len(tokens) && tokens[i+2].Is(".") {
			name = tokens[i+3]
		}
		switch strings.ToLower(name.Name()) {
		case "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory", "max_page_count":
			return fmt.Errorf("the script sets PRAGMA %s, which reaches beyond its own database: leave it out", name.Name())
		}
	}
	return nil
}
