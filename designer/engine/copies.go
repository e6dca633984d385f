package engine

import "context"

type copiesKey struct{}

// WithCopies returns a context with which an engine puts copies of a database's
// rows into the folder dir. The engine creates dir if it is missing. Only the
// user must be able to access it, and it should be cleared when unused.
func WithCopies(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, copiesKey{}, dir)
}

// Copies returns the folder of [WithCopies]; "" for the system's own for
// temporary files.
func Copies(ctx context.Context) string {
	dir, _ := ctx.Value(copiesKey{}).(string)
	return dir
}
