//go:build unix

package db

import "syscall"

// nonBlocking opens a pipe without waiting for who writes to it.
const nonBlocking = syscall.O_NONBLOCK
