package dial

import "golang.org/x/sys/windows"

// The errors of sockets. Those of package syscall with the names of Unix exist
// here, but no call returns them.
const (
	errRefused = windows.WSAECONNREFUSED
	errReset   = windows.WSAECONNRESET
	errBroken  = windows.WSAECONNABORTED
)
