package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/e2e/needs"
)

// dialAsNobody connects as another user: a socket belongs to the file system
// uid of the thread that makes it.
func dialAsNobody(address string) (net.Conn, error) {
	to, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Setfsuid(nobody); err != nil {
		return nil, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	_ = unix.Setfsuid(os.Geteuid())
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: to.Port, Addr: [4]byte(to.IP.To4())}); err != nil {
		return nil, err
	}
	return net.FileConn(f)
}

// A forwarder that another user runs is told who it is, and what to do.
func TestAForwarderOfAnotherUserIsToldWhoItIsAndWhatToDo(t *testing.T) {
	needsBrowser(t)
	needs.Root(t)
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	at := fmt.Sprintf("http://localhost:%d", forwardedBy(t, in.Port, dialAsNobody))
	b := newTab(t)
	// A refused connection is closed soon, whatever of its request was read: a
	// browser on a busy machine may lose the answer to what it asks beside the page.
	b.expect("403 (Forbidden)", "net::ERR_CONNECTION_RESET", "net::ERR_EMPTY_RESPONSE")
	b.goTo(at)
	b.sees("comes from a process of user 65534 (nobody)")
	b.sees("berth open HOST:/PATH")
	b.sees(`trustedPeers: ["65534"]`)
	assert.NotContains(t, eval[string](b, `document.documentElement.outerHTML`), in.ProjectRoot)
	b.screenshot("refused-user")

	resp, err := http.Get(at + "/health")
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, 403, resp.StatusCode)
	assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
	assert.Contains(t, string(body), `"error":"forbidden_user"`)
	assert.Contains(t, string(body), "user 65534 (nobody)")

	w.own("trustedPeers: [\"65534\"]\n") // what the page said
	in.stop()
	again := w.serve(in.ProjectRoot)
	at = fmt.Sprintf("http://localhost:%d", forwardedBy(t, again.Port, dialAsNobody))
	resp, err = http.Get(at + "/health")
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Contains(t, string(body), "forbidden_host", "the connection is let in, and its address is not known")
}
