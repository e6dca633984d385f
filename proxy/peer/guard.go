package peer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Options configures a [Guard]: which users it accepts besides its own and the
// system's.
type Options struct {
	// Trusted are names, uids or SIDs of users whose connections are let in,
	// such as the one that a relay or a proxy runs as.
	Trusted []string
	// Refused is called for each connection that was refused. It gets nothing
	// that the sender chose. It may be called from several goroutines at the
	// same time. nil: not called.
	Refused func(owner User, err error)
	// Answer returns the header and body of a refusal. owner is empty if it is
	// not known, r is nil if no request came in time. Like Refused, it may be
	// called from several goroutines. nil: a refusal has no body.
	Answer func(owner User, r *http.Request) (http.Header, []byte)
}

// A Guard decides whose connections a server answers.
type Guard struct {
	allowed map[User]bool
	opts    Options
	err     error
}

// NewGuard returns a guard for the user of this process. It returns an error if
// a trusted user does not exist, or if it cannot be found out whether the system
// reports who owns a connection; if the system does not, see [Guard.Err].
func NewGuard(opts Options) (*Guard, error) {
	g := &Guard{allowed: map[User]bool{}, opts: opts}
	for _, name := range opts.Trusted {
		u, err := Lookup(name)
		if err != nil {
			return nil, fmt.Errorf("setting trustedPeers: %w", err)
		}
		g.allowed[u] = true
	}
	own, err := self()
	if err != nil {
		g.err = err
		return g, nil
	}
	g.allowed[own] = true
	// Administrators can read this process's memory and files, so refusing
	// them protects nothing.
	for _, u := range administrators {
		g.allowed[u] = true
	}
	if err := Probe(); errors.Is(err, ErrUnreported) {
		g.err = err
	} else if err != nil {
		return nil, fmt.Errorf("try whether connections of other users can be refused: %w", err)
	}
	return g, nil
}

// Err returns why this guard accepts everybody: the system does not report who
// owns a connection, as in some containers. It is nil if the system does.
func (g *Guard) Err() error { return g.err }

// Listener returns l with every connection guarded.
func (g *Guard) Listener(l net.Listener) net.Listener {
	if g.err != nil {
		return l
	}
	return listener{l, g}
}

type listener struct {
	net.Listener
	guard *Guard
}

// Accept returns the next connection. Its owner is looked up by the first Read,
// in the goroutine that serves it, so that no connection waits for another's
// look-up.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, guard: l.guard}, nil
}

type conn struct {
	net.Conn
	guard   *Guard
	once    sync.Once
	refused error
}

// errRefused ends a connection. It wraps io.EOF, so that the server neither
// answers nor logs.
var errRefused = fmt.Errorf("another user's connection: %w", io.EOF)

// Read reads from a connection whose owner is accepted.
func (c *conn) Read(p []byte) (int, error) {
	c.once.Do(func() { c.refused = c.check() })
	if c.refused != nil {
		return 0, c.refused
	}
	return c.Conn.Read(p)
}

// CloseWrite lets a server close its side first, so that its last answer is not
// lost while the client still sends.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *conn) check() error {
	owner, err := Of(c.Conn)
	if err == nil && c.guard.allowed[owner] {
		return nil
	}
	if c.guard.opts.Refused != nil {
		c.guard.opts.Refused(owner, err)
	}
	if !errors.Is(err, ErrGone) {
		c.answer(owner)
	}
	_ = c.Conn.Close()
	return errRefused
}

// Limits on a refused connection: on the wait for its request, which decides
// only the form of the answer, and on the answer. What the client sent is read
// and discarded, because closing the connection first could lose the answer.
const (
	refusalTime  = 250 * time.Millisecond
	refusalBytes = 64 << 10
)

func (c *conn) answer(owner User) {
	res := http.Response{StatusCode: http.StatusForbidden, ProtoMajor: 1, ProtoMinor: 1, Close: true}
	_ = c.SetDeadline(time.Now().Add(refusalTime))
	r, err := http.ReadRequest(bufio.NewReader(io.LimitReader(c.Conn, refusalBytes)))
	if err == nil {
		res.Request = r // which may be a HEAD
	} else {
		r = nil
	}
	if c.guard.opts.Answer != nil {
		var body []byte
		res.Header, body = c.guard.opts.Answer(owner, r)
		res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	_ = c.SetDeadline(time.Now().Add(refusalTime))
	if err := res.Write(c.Conn); err != nil {
		return
	}
	_ = c.CloseWrite()
	_, _ = io.CopyN(io.Discard, c.Conn, refusalBytes)
}

// isID reports whether text is a uid or a SID, and not a name.
func isID(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == "" || strings.HasPrefix(text, "S-1-")
}
