// Package peer reports which user of this machine is at the other end of a
// loopback TCP connection, and lets a server answer its own user only.
//
// The system knows who opened each socket, and no credential is involved: a
// code, key or token that another user obtained is useless.
//
//	Accept ──▶ first Read: who owns the other socket? ──┬─▶ own user, root, trusted: served
//	                                                    ├─▶ anyone else, or nobody: 403, closed
//	                                                    └─▶ the system cannot tell: see [Guard.Err]
//
// Start with [NewGuard]. The package decides by user, never by process:
// processes of the same user have the same rights.
//
// Invariants: a connection is looked up once, before anything of it is read; of
// one that is refused, the request decides only the form of the answer; on a
// system that can tell, a connection whose owner cannot be found is
// refused.
package peer

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/user"
	"slices"
	"syscall"
)

// A User is the system's name of a user: a decimal uid, or a SID on Windows.
type User string

// ErrGone is returned for a connection whose other end has no owner: its
// process closed it or has ended.
var ErrGone = errors.New("the other end of the connection has no owner")

// Of returns the user who owns the other end of c, a TCP connection within this
// machine. The error is [ErrGone] or wraps the reason why the system does not
// report the owner.
func Of(c net.Conn) (User, error) {
	local, remote, err := ends(c)
	if err != nil {
		return "", err
	}
	owner, err := ownerOf(c, remote, local) // as the other end sees it
	if err != nil && !errors.Is(err, ErrGone) {
		return "", fmt.Errorf("look up the owner of %s: %w", remote, err)
	}
	return owner, err
}

// ends returns the addresses of a connection, as IPv4 where possible.
func ends(c net.Conn) (local, remote netip.AddrPort, err error) {
	l, ok := c.LocalAddr().(*net.TCPAddr)
	r, also := c.RemoteAddr().(*net.TCPAddr)
	if !ok || !also {
		return local, remote, fmt.Errorf("look up the owner of %v: not a TCP connection", c.RemoteAddr())
	}
	return plain(l.AddrPort()), plain(r.AddrPort()), nil
}

func plain(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// Lookup returns the user with a name, a uid or a SID.
func Lookup(name string) (User, error) {
	if isID(name) {
		return User(name), nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return "", fmt.Errorf("no user is called %q: %w", name, err)
	}
	return User(u.Uid), nil
}

// String names a user in a sentence, with the name that the system has for it:
// "user 1000 (ann)". It is empty for nobody.
func (u User) String() string {
	if u == "" {
		return ""
	}
	if known, err := user.LookupId(string(u)); err == nil {
		return fmt.Sprintf("user %s (%s)", string(u), known.Username)
	}
	return "user " + string(u)
}

// ErrUnreported is the error of a system that does not report who owns a
// connection, as in some containers.
var ErrUnreported = errors.New("the system does not report who owns a connection")

// Probe connects to itself to test whether this system reports who owns a
// connection. It returns nil if it does, an error that wraps [ErrUnreported] if
// it does not, and another error if that is not known: what is missing now, such
// as descriptors, may be there later.
func Probe() error {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	out, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		return err
	}
	defer out.Close()
	// The first connection to arrive may come from a port scanner.
	for range 16 {
		in, err := l.Accept()
		if err != nil {
			return err
		}
		defer in.Close()
		if in.RemoteAddr().String() == out.LocalAddr().String() {
			err := isSelf(in)
			if err == nil || scarce(err) {
				return err
			}
			return fmt.Errorf("%w: %w", ErrUnreported, err)
		}
	}
	return errors.New("the probe's own connection did not arrive")
}

// scarce reports whether an error is one of resources that were used up.
func scarce(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS, syscall.EAGAIN},
		func(e error) bool { return errors.Is(err, e) })
}

// isSelf checks that the other end of a connection of this process is ours.
func isSelf(c net.Conn) error {
	owner, err := Of(c)
	if err != nil {
		return err
	}
	self, err := self()
	if err != nil {
		return err
	}
	if owner != self {
		return fmt.Errorf("it names %s for a connection of %s", owner, self)
	}
	return nil
}
