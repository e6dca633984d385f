package instance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// callConn is a connection that a front-end uses for calls, one after another:
// a line for each, and the lines of its reply. The request that made it one has
// passed the checks of Host, Origin and token; all that is checked for each
// request otherwise is checked for each call here.
type callConn struct {
	s       *Server
	conn    net.Conn
	in      *bufio.Reader
	clients users
}

// postCalls makes the request's connection one of calls.
func (s *Server) postCalls(w http.ResponseWriter, r *request) error {
	if r.Header.Get("Upgrade") != wire.CallsProtocol || r.ContentLength != 0 {
		return fail(wire.CodeInvalidRequest, "this route takes the header Upgrade: %s, and no body", wire.CallsProtocol)
	}
	conn, begun, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	if begun.Reader.Buffered() > 0 { // the caller must wait for the answer
		return conn.Close()
	}
	s.calls.start(conn, (&callConn{s: s, conn: conn, in: bufio.NewReader(conn), clients: users{presence: s.cfg.Presence}}).serve)
	return nil
}

// serve answers calls until the connection ends.
func (c *callConn) serve() {
	defer c.clients.end()
	if _, err := io.WriteString(c, switchingTo(wire.CallsProtocol)); err != nil {
		return
	}
	for {
		text, err := c.next()
		if errors.Is(err, wire.ErrLineTooLong) {
			refuseCall(newLines(c), tooLarge(wire.MaxCallBytes))
		}
		if err != nil || !c.answer(text) {
			return
		}
	}
}

// next returns the next call. A connection may be idle for at least as long as
// one of HTTP; a call that has begun comes in one piece. The deadline that next
// leaves is later than the end of the call: until then a read only detects that
// the caller hung up.
func (c *callConn) next() ([]byte, error) {
	if err := c.conn.SetReadDeadline(time.Now().Add(keepAliveTimeout + c.s.cfg.CallTimeout)); err != nil {
		return nil, err
	}
	if _, err := c.in.Peek(1); err != nil {
		return nil, err
	}
	if begun, _ := c.in.Peek(c.in.Buffered()); bytes.IndexByte(begun, '\n') >= 0 {
		return wire.ReadLine(c.in, wire.MaxCallBytes)
	}
	if err := c.conn.SetReadDeadline(time.Now().Add(bodyTimeout)); err != nil {
		return nil, err
	}
	text, err := wire.ReadLine(c.in, wire.MaxCallBytes)
	if err != nil {
		return nil, err
	}
	return text, c.conn.SetReadDeadline(time.Time{})
}

// answer runs one call and writes its reply. It returns false if the instance
// takes no more calls.
func (c *callConn) answer(text []byte) (more bool) {
	out := newLines(c)
	ctx, leave, err := c.s.requests.enter(context.Background())
	if err != nil {
		refuseCall(out, failureOf(err))
		return false
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.watch(cancel)()
	if err := c.run(ctx, text, out); err != nil {
		f := failureOf(err)
		if f.code == wire.CodeInternal {
			c.s.cfg.Logger.Error("call failed", "cause", err)
		}
		refuseCall(out, f)
	}
	return true
}

// run runs a call as a request to its tool's route would.
func (c *callConn) run(ctx context.Context, text []byte, out *reply) (err error) {
	defer func() {
		if recover() != nil { // its value may hold anything, so only the stack is logged
			c.s.cfg.Logger.Error("handler panicked", "stack", string(debug.Stack()))
			err = fail(wire.CodeInternal, "the instance failed inside; its log has the cause")
		}
	}()
	done, f := c.s.admit(route{auth: tokenOnly})
	if f != nil {
		return f
	}
	defer done()
	var call wire.Call
	if err := wire.Decode(text, wire.MaxDepth, wire.MaxCallBytes, &call); err != nil {
		return badJSON(err)
	}
	c.clients.add(call.Client.ID)
	who := caller{origin: tools.OriginAgent, person: call.Person != "" && c.s.isPersonKey(call.Person)}
	return c.s.runTool(ctx, who, call.Tool, call.Request, out)
}

// refuseCall answers a call with f. A write error is ignored: the caller has
// gone.
func refuseCall(out *reply, f *failure) {
	_ = out.lines.Write(wire.Line{Failure: &wire.Failure{Message: f.message, Error: string(f.code)}})
}

// Write writes a line of a reply, for as long as its reader may take. If that
// fails the connection is closed, since part of the line may have been written.
func (c *callConn) Write(text []byte) (int, error) {
	err := c.conn.SetWriteDeadline(time.Now().Add(c.s.cfg.WriteTimeout))
	n := 0
	if err == nil {
		n, err = c.conn.Write(text)
	}
	if err != nil {
		_ = c.conn.Close()
	}
	return n, err
}

// watchAfter is how long a call runs before its connection is watched. Most
// have ended by then, and need nobody who waits for the connection's end.
const watchAfter = 5 * time.Millisecond

// watch cancels a call if the front-end closes the connection, which is how it
// cancels one. The caller must call stop before it reads again.
func (c *callConn) watch(cancel context.CancelFunc) (stop func()) {
	watched := make(chan struct{})
	early := c.s.calls.late.AfterFunc(func() {
		defer close(watched)
		if _, err := c.in.Peek(1); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			cancel()
		}
	})
	return func() {
		if early() {
			return
		}
		_ = c.conn.SetReadDeadline(time.Unix(1, 0)) // ends the Peek; next sets another
		<-watched
	}
}
