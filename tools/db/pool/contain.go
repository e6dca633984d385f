package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// A database's server is not trusted: what it sends is outside input, to this
// package and to the drivers. Answers whose shape matters are checked where
// they are read ([shaped]); what is overlooked there, or in a driver, ends the
// call that asked and not the process.

// contained is work that reports a panic as its error, and an answer that
// makes no sense in words. The log has where it panicked.
func (c *Connections) contained(work func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		defer func() {
			var p *safedriver.PanicError
			if errors.As(err, &p) && c.opts.Logger != nil {
				c.opts.Logger.Error("reading a database's answer failed", "panic", fmt.Sprint(p.Value), "stack", p.Stack)
			}
			err = driver.Restate(err)
		}()
		defer safedriver.Recovered(&err)
		return work(ctx)
	}
}
