package portmap

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isTaken reports whether a bind failed because of its port: it is in use, or
// it is in a range that the system reserves (as Hyper-V does).
func isTaken(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
