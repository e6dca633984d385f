//go:build !unix

package signals

import (
	"os"
	"syscall"
)

// end are the signals that ask for a clean end. The runtime turns the closing of the
// console into SIGTERM.
func end() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
