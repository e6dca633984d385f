//go:build !linux

package frontend

import "io"

// alone does nothing: what it does on Linux was not measured elsewhere.
func (o Options) alone() (stdin io.Reader, restore func()) { return o.Stdin, func() {} }
