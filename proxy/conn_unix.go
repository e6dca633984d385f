//go:build unix

package proxy

import (
	"errors"
	"syscall"
)

// quiet reports whether an idle connection is open and nothing has arrived on
// it. An instance that was killed has closed its end: a request that is sent
// nevertheless fails without an answer, as if it might have taken effect.
func (c *conn) quiet() bool {
	tcp, ok := c.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return false
	}
	nothing := false
	err = raw.Read(func(fd uintptr) bool {
		_, err := syscall.Read(int(fd), make([]byte, 1))
		nothing = errors.Is(err, syscall.EAGAIN)
		return true // do not wait
	})
	return err == nil && nothing
}
