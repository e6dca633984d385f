package engine

import "context"

type copiesKey struct{}

// WithCopies returns a context under which an engine puts copies of a
// database's rows into the folder dir, which it makes if it has to: a place
// that only this user can enter, and that is cleared when nobody uses it.
func WithCopies(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, copiesKey{}, dir)
}

// Copies returns the folder of [WithCopies]; "" for the system's own for
// temporary files.
func Copies(ctx context.Context) string {
	dir, _ := ctx.Value(copiesKey{}).(string)
	return dir
}
