package peer

import (
	"net"
	"net/netip"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// administrators are the users that are let in beside one's own.
var administrators = []User{"0"}

func self() (User, error) { return User(strconv.Itoa(os.Geteuid())), nil }

// ownerOf looks the connection up in the list of the system's TCP sockets,
// as netstat does: macOS has no look-up of one.
func ownerOf(_ net.Conn, from, to netip.AddrPort) (User, error) {
	list, err := unix.SysctlRaw("net.inet.tcp.pcblist_n")
	if err != nil {
		return "", err
	}
	return findPCB(list, from, to)
}
