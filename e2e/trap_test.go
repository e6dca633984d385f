package e2e

import (
	"bufio"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownErrands are the hosts that Chromium itself asks, whatever is switched off.
var ownErrands = []string{"accounts.google.com", "update.googleapis.com", "clients2.google.com"}

// trap listens where every name but this machine's own leads: whatever a page
// asks of the network outside ends here, and is remembered.
type trap struct {
	l net.Listener

	mu   sync.Mutex
	seen []string
}

func newTrap() (*trap, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &trap{l: l}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go t.take(conn)
		}
	}()
	return t, nil
}

// take remembers which host a connection is for: the greeting of an encrypted
// one says so, or the request.
func (t *trap) take(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	first := bufio.NewReader(conn)
	start, err := first.Peek(1)
	if err != nil {
		return // opened ahead of a need that did not come
	}
	host := ""
	if start[0] == 0x16 { // a TLS handshake
		_ = tls.Server(peekedConn{conn, first}, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			host = hello.ServerName
			return nil, errors.New("nobody is here")
		}}).Handshake()
	} else if r, err := http.ReadRequest(first); err == nil {
		host = r.Host + r.URL.Path
	}
	name, _, _ := strings.Cut(host, "/")
	if slices.Contains(ownErrands, name) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = append(t.seen, host)
}

// peekedConn is a connection with buffered data that was read ahead.
type peekedConn struct {
	net.Conn
	r *bufio.Reader
}

func (p peekedConn) Read(b []byte) (int, error) { return p.r.Read(b) }

func (t *trap) caught() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.seen...)
}

// forget drops what was caught, once a test has seen it.
func (t *trap) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = nil
}

func TestTheTrapCatchesWhatLeavesTheMachine(t *testing.T) {
	b := newTab(t)
	b.expect("net::ERR_")
	b.strays = true
	b.goTo(webPage(t, `<img src="http://far.example/pixel"><script src="https://cdn.example/x.js"></script>`).url)
	require.Eventually(t, func() bool { return len(chromium.trap.caught()) >= 2 }, patience, 10*time.Millisecond)
	assert.Subset(t, chromium.trap.caught(), []string{"far.example/pixel", "cdn.example"})
	chromium.trap.forget()
}
