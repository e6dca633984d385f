package engine

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

type guardKey struct{}

// WithGuard returns a context with which Publish tells others of g.Holder, and
// calls g.Ready under its lock.
func WithGuard(ctx context.Context, g designer.Guard) context.Context {
	return context.WithValue(ctx, guardKey{}, g)
}

// Holder returns that of [WithGuard].
func Holder(ctx context.Context) string {
	g, _ := ctx.Value(guardKey{}).(designer.Guard)
	return g.Holder
}

// Ready calls that of [WithGuard]. Publish calls it once it holds the
// database's lock.
func Ready(ctx context.Context) error {
	g, _ := ctx.Value(guardKey{}).(designer.Guard)
	if g.Ready == nil {
		return nil
	}
	return g.Ready(ctx)
}
