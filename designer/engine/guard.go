package engine

import (
	"context"
	"time"

	"github.com/berth-dev/berth/designer"
)

// PublishWait is how long a publish waits for the database's lock. One that was
// cancelled or killed a moment ago holds it until the server has noticed.
const PublishWait = 2 * time.Second

// Await calls try every 50 ms until it returns true or an error, PublishWait is
// over or ctx ends. It reports whether try returned true.
func Await(ctx context.Context, try func() (bool, error)) (bool, error) {
	end := time.Now().Add(PublishWait)
	for {
		done, err := try()
		if done || err != nil || time.Now().After(end) {
			return done, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

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
