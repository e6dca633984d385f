package dial

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// Timeout bounds the making of one connection: a dead server costs a call
// that much, and the next call tries again.
const Timeout = 5 * time.Second

// MaxRowBytes bounds what one row may take in memory.
const MaxRowBytes = 64 << 20

// ErrRowTooBig says that a row is longer than MaxRowBytes.
var ErrRowTooBig = fmt.Errorf("a row is longer than %d MiB, which is the limit here; leave its longest column out, or select a part of the value", MaxRowBytes>>20)

// ErrLost says that a connection broke in the middle of a query. What was
// asked changes nothing, so it may be asked again.
var ErrLost = errors.New("the connection to the server was lost while the query ran; it may have been restarted, or the session was ended there: ask again")

// boundedConnector connects within Timeout, and explains why it could not.
type boundedConnector struct {
	driver.Connector
	server string // for people
	// explain names the server's own reason; "" where err has none.
	explain func(err error) string
}

// Connect implements [driver.Connector]. Its error is a [*ConnectError], or
// the context's.
func (c boundedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	bounded, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	conn, err := c.Connector.Connect(bounded)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, c.connectError(err)
}

func (c boundedConnector) connectError(err error) *ConnectError {
	var known *ConnectError
	if errors.As(err, &known) {
		return known
	}
	if reason := c.explain(err); reason != "" {
		return &ConnectError{Cause: fmt.Sprintf("%s answered: %s", c.server, reason),
			Fix: "check user, password and database of the connection, and whether the server is ready"}
	}
	return &ConnectError{Cause: fmt.Sprintf("%s %s", c.server, unreachable(err)), Fix: reachFix(err)}
}

// reachFix is what to do about a server that does not answer.
func reachFix(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return "check the host's name; that of a service of Compose means nothing outside of its containers: publish its port, and name 127.0.0.1"
	}
	return "start the server, or check host and port of the connection"
}

// unreachable says in few words why a server does not answer. The error's own
// text is left out: drivers put addresses and users in it.
func unreachable(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "cannot be reached: no such host"
	case errors.Is(err, errRefused):
		return "cannot be reached: connection refused"
	case errors.Is(err, os.ErrNotExist):
		return "cannot be reached: no such socket"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("did not answer within %v", Timeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errReset):
		return "ended the connection before the login"
	}
	return "cannot be reached, or does not speak the protocol that was expected there"
}

// IsLost reports whether err says that the connection broke.
func IsLost(err error) bool {
	var op *net.OpError
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, errReset) || errors.Is(err, errBroken) || errors.As(err, &op)
}
