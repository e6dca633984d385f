//go:build !windows

package dial

import "syscall"

// The errors of sockets.
const (
	errRefused = syscall.ECONNREFUSED
	errReset   = syscall.ECONNRESET
	errBroken  = syscall.EPIPE
)
