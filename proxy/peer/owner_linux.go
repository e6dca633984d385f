package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// administrators are the users that are let in beside one's own.
var administrators = []User{"0"}

func self() (User, error) { return User(strconv.Itoa(os.Geteuid())), nil }

// ownerOf asks the kernel for the one socket that has the addresses
// (sock_diag(7)); no table is read. The kernel reports uids as this process's
// user namespace has them.
func ownerOf(c net.Conn, from, to netip.AddrPort) (User, error) {
	reply, err := askDiag(diagRequest(from, to))
	if err != nil {
		return "", err
	}
	owner, err := parseDiag(reply)
	if err != nil {
		return "", err
	}
	return owner, alive(c)
}

// askDiag sends a request on a socket of its own and returns the reply.
func askDiag(request []byte) ([]byte, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, fmt.Errorf("sock_diag: %w", err)
	}
	defer unix.Close(fd)
	wait := unix.NsecToTimeval(int64(2 * time.Second))
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait); err != nil {
		return nil, fmt.Errorf("sock_diag: %w", err)
	}
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, fmt.Errorf("sock_diag: %w", err)
	}
	reply := make([]byte, 4<<10)
	for {
		n, sender, err := unix.Recvfrom(fd, reply, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("sock_diag: %w", err)
		}
		if kernel, ok := sender.(*unix.SockaddrNetlink); ok && kernel.Pid == 0 {
			return reply[:n], nil
		}
	}
}

// From struct inet_diag_req_v2 and inet_diag_msg, linux/inet_diag.h.
const (
	sockDiagByFamily = 20
	diagRequestLen   = 56
	diagMessageLen   = 72
	diagUID          = 64
	diagInode        = 68
)

// TCP states in which a socket has a process behind it that may still read.
const (
	stateEstablished = 1
	stateFinWait1    = 4
	stateFinWait2    = 5
)

// diagRequest asks for the one TCP socket from one address to another.
func diagRequest(from, to netip.AddrPort) []byte {
	order := binary.NativeEndian
	b := make([]byte, unix.SizeofNlMsghdr, unix.SizeofNlMsghdr+diagRequestLen)
	order.PutUint32(b[0:], unix.SizeofNlMsghdr+diagRequestLen)
	order.PutUint16(b[4:], sockDiagByFamily)
	order.PutUint16(b[6:], unix.NLM_F_REQUEST)
	family := byte(unix.AF_INET6)
	if from.Addr().Is4() {
		family = unix.AF_INET
	}
	b = append(b, family, unix.IPPROTO_TCP, 0, 0)
	b = order.AppendUint32(b, ^uint32(0)) // any state
	b = binary.BigEndian.AppendUint16(b, from.Port())
	b = binary.BigEndian.AppendUint16(b, to.Port())
	b = appendAddr(b, from.Addr())
	b = appendAddr(b, to.Addr())
	b = order.AppendUint32(b, 0)                             // any interface
	return append(b, 255, 255, 255, 255, 255, 255, 255, 255) // no cookie
}

func appendAddr(b []byte, a netip.Addr) []byte {
	var wide [16]byte
	copy(wide[:], a.AsSlice())
	return append(b, wide[:]...)
}

// parseDiag returns the owner of the socket that the kernel found. A socket
// without an inode has been closed, and the kernel reports uid 0 for it, as if
// it were root's; a socket that is still connecting belongs to another
// connection.
func parseDiag(reply []byte) (User, error) {
	order := binary.NativeEndian
	if len(reply) < unix.SizeofNlMsghdr {
		return "", fmt.Errorf("sock_diag: a reply of %d bytes", len(reply))
	}
	kind, body := order.Uint16(reply[4:]), reply[unix.SizeofNlMsghdr:]
	switch {
	case kind == unix.NLMSG_ERROR && len(body) >= 4:
		errno := syscall.Errno(-int32(order.Uint32(body)))
		if errno == unix.ENOENT {
			return "", ErrGone
		}
		return "", fmt.Errorf("sock_diag: %w", errno)
	case kind != sockDiagByFamily || len(body) < diagMessageLen:
		return "", fmt.Errorf("sock_diag: a reply of type %d and %d bytes", kind, len(body))
	}
	state, inode := body[1], order.Uint32(body[diagInode:])
	open := state == stateEstablished || state == stateFinWait1 || state == stateFinWait2
	if !open || inode == 0 {
		return "", ErrGone
	}
	return User(strconv.FormatUint(uint64(order.Uint32(body[diagUID:])), 10)), nil
}

// alive checks, after the look-up, that our end is still connected. As long as
// it is, no other socket can have the same two addresses, so the owner is that
// of this connection and not of a later one.
func alive(c net.Conn) error {
	raw, ok := c.(syscall.Conn)
	if !ok {
		return fmt.Errorf("a connection of type %T", c)
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return ErrGone
	}
	var info *unix.TCPInfo
	var infoErr error
	err = control.Control(func(fd uintptr) { info, infoErr = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO) })
	if err = errors.Join(err, infoErr); err != nil {
		return err
	}
	if info.State != stateEstablished && info.State != stateCloseWait {
		return ErrGone
	}
	return nil
}

// stateCloseWait is the TCP state of a socket whose other end has stopped
// sending.
const stateCloseWait = 8
