//go:build unix

package main

import (
	"os"
	"syscall"
)

// endSignals ask for a clean end. SIGHUP is among them: an editor that closes
// its terminal sends nothing else.
func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }
