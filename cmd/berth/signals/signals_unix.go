//go:build unix

package signals

import (
	"os"
	"syscall"
)

// end are the signals that ask for a clean end. SIGHUP is among them: an editor that closes
// its terminal sends nothing else.
func end() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }
