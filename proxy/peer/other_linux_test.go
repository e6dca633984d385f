package peer_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/proxy/peer"
)

// nobody is another user. A socket belongs to the file system uid of the
// thread that makes it.
const nobody = 65534

func dialAs(t *testing.T, uid, family int) func(string) net.Conn {
	return func(address string) net.Conn {
		t.Helper()
		a, err := net.ResolveTCPAddr("tcp4", address)
		require.NoError(t, err)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		require.NoError(t, unix.Setfsuid(uid))
		fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		require.NoError(t, unix.Setfsuid(os.Geteuid()))
		require.NoError(t, err)
		var to unix.Sockaddr = &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())}
		if family == unix.AF_INET6 {
			to = &unix.SockaddrInet6{Port: a.Port, Addr: [16]byte(a.IP.To16())}
		}
		require.NoError(t, unix.Connect(fd, to))
		f := os.NewFile(uintptr(fd), "socket")
		defer f.Close()
		c, err := net.FileConn(f)
		require.NoError(t, err)
		return c
	}
}

func TestAnotherUsersConnectionIsTheirs(t *testing.T) {
	needs.Root(t)
	for name, family := range map[string]int{"IPv4": unix.AF_INET, "IPv4 by an IPv6 socket": unix.AF_INET6} {
		t.Run(name, func(t *testing.T) {
			in, _ := arrival(t, listen(t), dialAs(t, nobody, family))
			owner, err := peer.Of(in)
			require.NoError(t, err)
			assert.Equal(t, peer.User("65534"), owner)
		})
	}
}

func TestAGuardRefusesAnotherUserBeforeItReadsAndInWords(t *testing.T) {
	needs.Root(t)
	var refused atomic.Int32
	address := server(t, peer.Options{
		Refused: func(owner peer.User, err error) {
			assert.NoError(t, err)
			assert.Equal(t, peer.User("65534"), owner)
			refused.Add(1)
		},
		Answer: func(owner peer.User, r *http.Request) (http.Header, []byte) {
			asked := "nothing"
			if r != nil {
				asked = r.URL.Path
			}
			return http.Header{"X-Test": {"refused"}}, fmt.Appendf(nil, "%s asked for %s", owner, asked)
		},
	})
	c := dialAs(t, nobody, unix.AF_INET)(address)
	defer c.Close()
	status, body := ask(t, c)
	assert.Equal(t, 403, status)
	assert.Equal(t, "user 65534 (nobody) asked for /hello", body)
	assert.EqualValues(t, 1, refused.Load())

	silent := dialAs(t, nobody, unix.AF_INET)(address)
	defer silent.Close()
	require.NoError(t, silent.SetDeadline(time.Now().Add(patience)))
	answer, err := io.ReadAll(silent)
	require.NoError(t, err)
	assert.Contains(t, string(answer), "X-Test: refused")
	assert.Contains(t, string(answer), "asked for nothing", "who asks nothing is refused as well")

	address = server(t, peer.Options{Trusted: []string{"65534"}})
	c = dialAs(t, nobody, unix.AF_INET)(address)
	defer c.Close()
	status, _ = ask(t, c)
	assert.Equal(t, 200, status, "a relay that the user named")
}

func TestARequestOfAnotherUserWhoHungUpIsNotServed(t *testing.T) {
	needs.Root(t)
	refused := make(chan error, 1)
	address := server(t, peer.Options{Refused: func(_ peer.User, err error) { refused <- err }})
	c := dialAs(t, nobody, unix.AF_INET)(address)
	_, err := c.Write([]byte("POST " + strings.Repeat("/", 100) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
	require.NoError(t, err)
	require.NoError(t, c.Close())
	select {
	case err := <-refused:
		if err != nil {
			assert.ErrorIs(t, err, peer.ErrGone)
		}
	case <-time.After(patience):
		require.Fail(t, "the request was not refused")
	}
}
