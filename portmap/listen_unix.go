//go:build !windows

package portmap

import (
	"errors"
	"syscall"
)

// isTaken reports whether a bind failed because of its port: it is in use, or
// this user may not bind it.
func isTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EACCES)
}
