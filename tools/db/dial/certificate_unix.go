//go:build unix

package dial

import "syscall"

// nonBlocking opens a pipe without waiting for who writes to it.
const nonBlocking = syscall.O_NONBLOCK
