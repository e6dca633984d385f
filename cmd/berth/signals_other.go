//go:build !unix

package main

import (
	"os"
	"syscall"
)

// endSignals ask for a clean end. The runtime turns the closing of the
// console into SIGTERM.
func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
