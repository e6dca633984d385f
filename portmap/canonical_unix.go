//go:build !windows

package portmap

import "runtime"

const (
	foldsCase = runtime.GOOS == "darwin" // APFS as delivered ignores case in a look-up
	hasDrives = false
)

// isImpossibleName returns false: only Windows has error codes for this.
func isImpossibleName(error) bool { return false }
