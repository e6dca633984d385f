// Package signals ends a program when it is asked to.
package signals

import (
	"context"
	"os/signal"
)

// Context returns a context that is canceled by the first signal that asks
// for a clean end. The next one kills: a person who presses Ctrl-C twice means
// it. Calling the function gives the signals back.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, end()...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
