package proxy

import (
	"bufio"
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

// maxHeadBytes bounds the status line and headers of an answer.
const maxHeadBytes = 64 << 10

// conn is a proven connection to an instance. It carries one exchange at a time,
// and each on the goroutine of its call: net/http's client has two goroutines
// for every connection, and handing an exchange to them and back takes longer
// than the exchange.
type conn struct {
	net.Conn
	calls  bool              // it carries calls as lines, and HTTP no longer
	limit  *io.LimitedReader // between Conn and in
	in     *bufio.Reader
	out    *bufio.Writer
	idleAt time.Time   // since when no exchange uses it
	expiry *time.Timer // closes it when it has been idle for too long
}

func newConn(c net.Conn) *conn {
	limit := &io.LimitedReader{R: c, N: math.MaxInt64}
	return &conn{Conn: c, limit: limit, in: bufio.NewReader(limit), out: bufio.NewWriter(c)}
}

// exchange sends req and reads the head of the answer. Its body is read from c.
func (c *conn) exchange(req *http.Request) (*http.Response, error) {
	sent := req.Write(c.out)
	if sent == nil {
		sent = c.out.Flush()
	}
	// An instance that refuses a request may answer before it has read all of
	// it, so there may be an answer even if the request could not be sent.
	c.limit.N = maxHeadBytes
	resp, err := http.ReadResponse(c.in, req)
	c.limit.N = math.MaxInt64
	if err != nil && sent != nil {
		err = sent
	}
	return resp, err
}

// roundTrip sends a request that began at since on a proven connection and
// reads the head of the answer. The caller must close the body; reading it to
// its end first keeps the connection for another request. If ctx of the request
// ends before that, the connection is closed. The body of an upgraded
// connection is the connection itself. Redirects are not followed.
func (r *connGroup) roundTrip(req *http.Request, since time.Time) (*http.Response, error) {
	c, err := r.take(req.Context(), since)
	if err != nil {
		return nil, err
	}
	return r.exchange(c, req)
}

// exchange is roundTrip on a connection that was taken.
func (r *connGroup) exchange(c *conn, req *http.Request) (*http.Response, error) {
	stop := context.AfterFunc(req.Context(), func() { _ = c.Close() })
	resp, err := c.exchange(req)
	switch {
	case err != nil:
		stop()
		_ = c.Close()
		return nil, err
	case resp.StatusCode == http.StatusSwitchingProtocols:
		stop()
		resp.Body = c
	default:
		resp.Body = &body{Reader: resp.Body, close: func(whole bool) error {
			if stop() && whole && !resp.Close && c.in.Buffered() == 0 {
				r.put(c)
				return nil
			}
			return c.Close()
		}}
	}
	return resp, nil
}

// body is the body of an answer.
type body struct {
	io.Reader
	whole bool // it was read to its end
	close func(whole bool) error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.whole = b.whole || err == io.EOF
	return n, err
}

func (b *body) Close() error { return b.close(b.whole) }
