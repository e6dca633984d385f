//go:build linux || darwin

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// withoutEcho has a terminal show nothing of what is typed until back is
// called.
func withoutEcho(f *os.File) (back func(), err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var was *unix.Termios
	change := func(set func(fd int) error) error {
		var failed error
		if err := conn.Control(func(fd uintptr) { failed = set(int(fd)) }); err != nil {
			return err
		}
		return failed
	}
	err = change(func(fd int) error {
		if was, err = unix.IoctlGetTermios(fd, getTermios); err != nil {
			return err
		}
		silent := *was
		silent.Lflag &^= unix.ECHO
		silent.Lflag |= unix.ICANON | unix.ISIG
		return unix.IoctlSetTermios(fd, setTermios, &silent)
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = change(func(fd int) error { return unix.IoctlSetTermios(fd, setTermios, was) }) }, nil
}
