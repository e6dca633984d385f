package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forwarded is a port of this machine that leads to another, as ssh -L makes
// one.
func forwarded(t *testing.T, to int) (port int) {
	t.Helper()
	return forwardedBy(t, to, func(address string) (net.Conn, error) { return net.Dial("tcp4", address) })
}

func forwardedBy(t *testing.T, to int, dial func(address string) (net.Conn, error)) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return // the test has ended
			}
			far, err := dial(fmt.Sprintf("127.0.0.1:%d", to))
			if err != nil {
				_ = near.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					_, _ = io.Copy(way[0], way[1])
					_ = way[0].Close()
				}()
			}
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestThePageIsUsedThroughAForwardedPortThatTheUserNamed(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	at := fmt.Sprintf("localhost:%d", forwarded(t, in.Port))
	b := newTab(t)
	b.expect("403 (Forbidden)", "404 (Not Found)") // an icon of the browser's own asking, among others
	b.goTo("http://" + at)
	b.sees("berth does not know this address")
	b.sees(fmt.Sprintf(`page: {hosts: ["%s"]}`, at))

	w.own(fmt.Sprintf("page: {hosts: [%q]}\n", at)) // what the page said, while it serves
	require.Eventually(t, func() bool {
		return eval[int](b, `async () => (await fetch("/health")).status`, 0) == 200
	}, patience, tick)
	b.goTo("http://" + at)
	b.has(`[data-testid=gate-signed-out]`)
	b.goTo(strings.Replace(w.address(in), fmt.Sprintf("127.0.0.1:%d", in.Port), at, 1))
	b.has(`.shell`)
	b.has(`[data-testid="table-main.customer"]`)
	assert.False(t, eval[bool](b, `localStorage.getItem("berth.credential") !== null`), "the port is one that any program may have next")

	// A proxy that takes a path off, as editors in a browser have one.
	to, err := url.Parse(in.URL)
	require.NoError(t, err)
	proxy := httptest.NewServer(http.StripPrefix("/proxy/50001", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}))
	t.Cleanup(proxy.Close)
	w.own(fmt.Sprintf("page: {hosts: [%q]}\n", strings.TrimPrefix(proxy.URL, "http://")))
	require.Eventually(t, func() bool {
		resp, err := http.Get(proxy.URL + "/proxy/50001/")
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil && resp.StatusCode == 200
	}, patience, tick)
	own := newTab(t)
	own.goTo(proxy.URL + "/proxy/50001/")
	own.has(`[data-testid=gate-shared]`)
	own.sees("every program behind it has the same origin")
	own.screenshot("gate-shared")

	refused := w.berth("open", "--host", at, in.ProjectRoot)
	assert.Equal(t, 3, refused.code)
	assert.Contains(t, refused.stderr, "printed at a terminal only")
	far := w.berth("open", "--host", at, "build1:/home/ann/app")
	assert.NotZero(t, far.code)
}
