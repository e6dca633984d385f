package mysql

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Engine is MySQL and MariaDB at work: see [engine.Engine].
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
