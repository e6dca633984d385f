//go:build !windows

package portmap

import "runtime"

const (
	foldsCase = runtime.GOOS == "darwin" // APFS as delivered ignores case in a look-up
	hasDrives = false
)

// isImpossibleName is for codes that only Windows has.
func isImpossibleName(error) bool { return false }
