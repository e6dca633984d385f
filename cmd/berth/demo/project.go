package demo

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the embedded default database
)

//go:embed data
var data embed.FS

// project is one of the demo's sample projects: a folder with a SQLite
// database, as a developer would have it open in a window.
type project struct {
	name string
	root string
}

// makeProject creates the folder below dir and fills its database from the
// embedded script of the same name.
func makeProject(ctx context.Context, dir, name string) (project, error) {
	p := project{name: name, root: filepath.Join(dir, name)}
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		return p, fmt.Errorf("make project %s: %w", name, err)
	}
	script, err := data.ReadFile("data/" + name + ".sql")
	if err != nil {
		return p, fmt.Errorf("read sample data of %s: %w", name, err)
	}
	db, err := sql.Open("sqlite", filepath.Join(p.root, name+".db"))
	if err != nil {
		return p, fmt.Errorf("open database of %s: %w", name, err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, string(script)); err != nil {
		return p, fmt.Errorf("fill database of %s: %w", name, err)
	}
	return p, nil
}
