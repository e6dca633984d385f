package portmap

import (
	"errors"

	"golang.org/x/sys/windows"
)

const (
	foldsCase = true // NTFS keeps the case of a name and ignores it in a look-up
	hasDrives = true
)

// isImpossibleName reports whether err is one of the system's error codes for a
// path that cannot exist.
func isImpossibleName(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_NAME) ||
		errors.Is(err, windows.ERROR_BAD_PATHNAME) ||
		errors.Is(err, windows.ERROR_DIRECTORY)
}
