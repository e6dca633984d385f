package portmap

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isTaken reports whether a bind failed because of its port: somebody has it,
// or it lies in a range the system keeps (Hyper-V excludes some).
func isTaken(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
