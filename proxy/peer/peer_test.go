package peer_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os/user"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/peer"
)

const patience = 10 * time.Second

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// arrival dials l and returns both ends.
func arrival(t *testing.T, l net.Listener, dial func(address string) net.Conn) (in, out net.Conn) {
	t.Helper()
	out = dial(l.Addr().String())
	t.Cleanup(func() { _ = out.Close() })
	in, err := l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in, out
}

func dialer(t *testing.T) func(string) net.Conn {
	return func(address string) net.Conn {
		c, err := net.Dial("tcp4", address)
		require.NoError(t, err)
		return c
	}
}

func TestTheSystemSaysWhoOwnsAConnection(t *testing.T) {
	require.NoError(t, peer.Probe())
	in, out := arrival(t, listen(t), dialer(t))
	me, err := user.Current()
	require.NoError(t, err)
	owner, err := peer.Of(in)
	require.NoError(t, err)
	assert.Equal(t, peer.User(me.Uid), owner)
	owner, err = peer.Of(out)
	require.NoError(t, err)
	assert.Equal(t, peer.User(me.Uid), owner, "from the other end too")
}

func TestAConnectionWhoseOtherEndHasGoneIsNobodys(t *testing.T) {
	in, out := arrival(t, listen(t), dialer(t))
	_, err := out.Write([]byte("said and gone"))
	require.NoError(t, err)
	require.NoError(t, out.Close())
	require.NoError(t, in.SetReadDeadline(time.Now().Add(patience)))
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, "said and gone", string(got), "what was sent is there")
	_, err = peer.Of(in)
	assert.ErrorIs(t, err, peer.ErrGone, "the kernel says uid 0 of a socket that was closed")
}

func TestAClientThatHasSentAllItSendsIsStillItsOwners(t *testing.T) {
	in, out := arrival(t, listen(t), dialer(t))
	require.NoError(t, out.(*net.TCPConn).CloseWrite())
	require.NoError(t, in.SetReadDeadline(time.Now().Add(patience)))
	_, err := io.ReadAll(in)
	require.NoError(t, err)
	_, err = peer.Of(in)
	assert.NoError(t, err)
}

// server answers every request with its path, behind a guard.
func server(t *testing.T, opts peer.Options) string {
	t.Helper()
	g, err := peer.NewGuard(opts)
	require.NoError(t, err)
	require.NoError(t, g.Err())
	l := listen(t)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })}
	var served sync.WaitGroup
	served.Go(func() { _ = s.Serve(g.Listener(l)) })
	t.Cleanup(func() { _ = s.Close(); served.Wait() })
	return l.Addr().String()
}

// ask sends one request on a connection.
func ask(t *testing.T, c net.Conn) (status int, body string) {
	t.Helper()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err := io.WriteString(c, "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(raw)
}

func TestAGuardLetsItsOwnUserIn(t *testing.T) {
	c := dialer(t)(server(t, peer.Options{Refused: func(peer.User, error) { t.Error("refused") }}))
	defer c.Close()
	status, body := ask(t, c)
	assert.Equal(t, 200, status)
	assert.Equal(t, "/hello", body)
}

func TestATrustedUserMustExist(t *testing.T) {
	_, err := peer.NewGuard(peer.Options{Trusted: []string{"no-such-user-of-this-machine"}})
	assert.ErrorContains(t, err, "no-such-user-of-this-machine")
	_, err = peer.NewGuard(peer.Options{Trusted: []string{"65534"}})
	assert.NoError(t, err, "a uid needs no name")
}

// BenchmarkConnection compares a connection with one request on it, guarded
// and not.
func BenchmarkConnection(b *testing.B) {
	for _, guarded := range []bool{false, true} {
		name := map[bool]string{false: "bare", true: "guarded"}[guarded]
		b.Run(name, func(b *testing.B) {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			require.NoError(b, err)
			address := l.Addr().String()
			if guarded {
				g, err := peer.NewGuard(peer.Options{})
				require.NoError(b, err)
				l = g.Listener(l)
			}
			s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })}
			var served sync.WaitGroup
			served.Go(func() { _ = s.Serve(l) })
			defer served.Wait()
			defer s.Close()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			for b.Loop() {
				res, err := client.Get("http://" + address)
				require.NoError(b, err)
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
}

// BenchmarkOf is the look-up alone.
func BenchmarkOf(b *testing.B) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(b, err)
	defer l.Close()
	out, err := net.Dial("tcp4", l.Addr().String())
	require.NoError(b, err)
	defer out.Close()
	in, err := l.Accept()
	require.NoError(b, err)
	defer in.Close()
	for b.Loop() {
		if _, err := peer.Of(in); err != nil {
			b.Fatal(err)
		}
	}
}
