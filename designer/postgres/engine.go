package postgres

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Engine is PostgreSQL at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// Mark implements [engine.Engine].
func (Engine) Mark(ctx context.Context, db *sql.DB) (string, error) { return Mark(ctx, db) }

// Plan implements [engine.Engine].
func (Engine) Plan(d *designer.Diff) (designer.Plan, error) { return Plan(d) }

// Script implements [engine.Engine].
func (Engine) Script(s *designer.Schema) (designer.Plan, error) { return Script(s) }

// Verify implements [engine.Engine].
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan) error {
	return Verify(ctx, db, p)
}

// Publish implements [engine.Engine].
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	return Publish(ctx, db, p, from, progress)
}

// Load implements [engine.Engine].
func (Engine) Load(ctx context.Context, db *sql.DB, script string) (designer.Loaded, error) {
	return Load(ctx, db, script)
}

// Scratches implements [engine.Engine].
func (Engine) Scratches(ctx context.Context, db *sql.DB) ([]string, error) {
	return scratches(ctx, db)
}

// DropScratch implements [engine.Engine].
func (Engine) DropScratch(ctx context.Context, db *sql.DB, name string) error {
	return dropScratch(ctx, db, name)
}
