// Package network makes networks of hosts on one machine, for tests: each host
// is a network namespace of Linux with an address and a link of its own, all at
// one bridge. The machine's own network stays as it is: a browser would tell its
// pages of any change.
//
// Start from [New]. It needs root and the program ip; without them a test is
// skipped, or fails where parts are required (package needs). What is made ends
// with its test.
package network

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/e2e/needs"
)

// Network is a bridge and the hosts at it.
type Network struct {
	Hub *Host // has the bridge, and no link that can be cut

	t     testing.TB
	hosts int
}

// Host is one namespace. Its loopback is its own.
type Host struct {
	Address string

	net  *Network
	name string // of the namespace
	link string // its end at the bridge
}

// bridge is its name, in the hub.
const bridge = "bridge"

// New returns a network with its hub alone.
func New(t testing.TB) *Network {
	t.Helper()
	needs.Root(t)
	needs.Program(t, "ip")
	n := &Network{t: t}
	n.Hub = n.namespace()
	n.Hub.ip("link", "add", "name", bridge, "type", "bridge")
	n.Hub.ip("addr", "add", n.Hub.Address+"/16", "dev", bridge)
	n.Hub.ip("link", "set", bridge, "up")
	return n
}

// namespace makes the next host, without a link.
func (n *Network) namespace() *Host {
	n.t.Helper()
	n.hosts++
	h := &Host{Address: fmt.Sprintf("10.213.%d.%d", n.hosts/250, n.hosts%250+1), net: n, name: fmt.Sprintf("berth-%d-%d", os.Getpid(), n.hosts)}
	n.ip("netns", "add", h.name)
	n.t.Cleanup(func() { n.ip("netns", "del", h.name) }) // its links go with it
	h.ip("link", "set", "lo", "up")
	return h
}

// Host adds a host.
func (n *Network) Host() *Host {
	n.t.Helper()
	h := n.namespace()
	h.link = fmt.Sprintf("to%d", n.hosts)
	n.Hub.ip("link", "add", h.link, "type", "veth", "peer", "name", "eth0", "netns", h.name)
	n.Hub.ip("link", "set", h.link, "master", bridge, "up")
	h.ip("addr", "add", h.Address+"/16", "dev", "eth0")
	h.ip("link", "set", "eth0", "up")
	return h
}

// Cut takes the host's link down: what is sent is lost, and no connection ends.
func (h *Host) Cut() { h.net.Hub.ip("link", "set", h.link, "down") }

// Mend takes the link up again.
func (h *Host) Mend() { h.net.Hub.ip("link", "set", h.link, "up") }

// Run calls f on the host: the processes that f itself starts are there.
func (h *Host) Run(f func()) {
	h.net.t.Helper()
	leave, err := h.enter()
	require.NoError(h.net.t, err)
	defer leave()
	f()
}

// Forward has the port of the host's 127.0.0.1 answer at the test's 127.0.0.1.
func (h *Host) Forward(port int) {
	h.net.t.Helper()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	listener, err := net.Listen("tcp4", address)
	require.NoError(h.net.t, err)
	var jobs sync.WaitGroup
	jobs.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return // the test has ended
			}
			jobs.Go(func() { h.join(near, address) })
		}
	})
	h.net.t.Cleanup(func() { _ = listener.Close() })
}

func (h *Host) join(near net.Conn, address string) {
	defer near.Close()
	leave, err := h.enter()
	if err != nil {
		return
	}
	// A numeric address needs no other goroutine, which would dial elsewhere.
	far, err := net.Dial("tcp4", address)
	leave()
	if err != nil {
		return
	}
	defer far.Close()
	var ways sync.WaitGroup
	ways.Go(func() { pump(far, near) })
	ways.Go(func() { pump(near, far) })
	ways.Wait()
}

// pump copies one direction and says where it ends.
func pump(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if end, ok := to.(*net.TCPConn); ok {
		_ = end.CloseWrite()
	}
}

// enter has the calling goroutine's thread be on the host until it leaves.
func (h *Host) enter() (leave func(), err error) {
	there, err := os.Open("/run/netns/" + h.name)
	if err != nil {
		return nil, err
	}
	defer there.Close()
	runtime.LockOSThread()
	here, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	if err := unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
		_ = here.Close()
		runtime.UnlockOSThread()
		return nil, err
	}
	return func() {
		err := unix.Setns(int(here.Fd()), unix.CLONE_NEWNET)
		_ = here.Close()
		if err == nil {
			runtime.UnlockOSThread() // else the thread ends with its goroutine
		}
	}, nil
}

// ip runs a command of ip on the host.
func (h *Host) ip(args ...string) {
	h.net.t.Helper()
	h.net.ip(append([]string{"-n", h.name}, args...)...)
}

func (n *Network) ip(args ...string) {
	n.t.Helper()
	out, err := exec.Command("ip", args...).CombinedOutput()
	require.NoError(n.t, err, "ip %v: %s", args, out)
}
