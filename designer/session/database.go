package session

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

// Database is a source that a design can be published to. Its methods beyond
// [Source] are those of an engine, on the connection's own database.
type Database interface {
	Source
	Plan(d *designer.Diff) (designer.Plan, error)
	Script(s *designer.Schema) (designer.Plan, error)
	Verify(ctx context.Context, p designer.Plan, progress func(step int, done bool) error) error
	Publish(ctx context.Context, p designer.Plan, from int, g designer.Guard, progress func(step int, done bool) error) error
	// Locked returns a [*designer.LockedError] if a publish holds the database's
	// lock now, and nil if none does or the database does not say.
	Locked(ctx context.Context) error
	Load(ctx context.Context, script string) (designer.LoadResult, error)
}
