package proxy

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var wsaPoll = windows.NewLazySystemDLL("ws2_32.dll").NewProc("WSAPoll")

// pollFD is Windows' WSAPOLLFD.
type pollFD struct {
	socket          windows.Handle
	events, revents int16
}

const pollIn = 0x0100 | 0x0200 // POLLRDNORM | POLLRDBAND

// quiet reports whether an idle connection is open and nothing has arrived on
// it, see the other systems' quiet.
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
	err = raw.Control(func(fd uintptr) {
		poll := pollFD{socket: windows.Handle(fd), events: pollIn}
		ready, _, _ := wsaPoll.Call(uintptr(unsafe.Pointer(&poll)), 1, 0) // without waiting
		nothing = ready == 0
	})
	return err == nil && nothing
}
