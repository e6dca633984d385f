//go:build !unix && !windows

package proxy

import "time"

// quiet reports whether an idle connection can be used again. This system does
// not report without waiting whether the other end has closed it, so only one
// that was in use a moment ago is trusted: a new one costs a fraction of a
// millisecond.
func (c *conn) quiet() bool { return time.Since(c.idleAt) < 100*time.Millisecond }
