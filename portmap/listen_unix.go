//go:build !windows

package portmap

import (
	"errors"
	"syscall"
)

// isTaken reports whether a bind failed because of its port: somebody has it,
// or it is not for this user.
func isTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EACCES)
}
