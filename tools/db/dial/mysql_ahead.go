package dial

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	driversql "github.com/go-sql-driver/mysql"
)

// MySQLAhead sends a connection of MySQL commands that its driver does not
// know, or would wait for one by one. They go below the driver while nothing
// runs, so it cannot be used through TLS. Like the connection, one goroutine
// uses it, but for Close.
type MySQLAhead struct {
	conn *packetConn
	set  string // what the connection's parameters set; "": nothing
	owed int    // answers that the server owes
}

type aheadKey struct{}

// NewContext returns ctx for dialing the connection that a is for.
func (a *MySQLAhead) NewContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, aheadKey{}, a)
}

// Possible reports whether commands can be sent.
func (a *MySQLAhead) Possible() bool { return a.conn != nil && !a.conn.opaque }

// Close ends the connection at once, whatever it waits for. It may be called
// at any time.
func (a *MySQLAhead) Close() {
	if a.conn != nil {
		_ = a.conn.Close() // which ends what waits for it
	}
}

// errOutOfStep says that the driver and the server are not where they were
// thought to be: the connection cannot be used.
var errOutOfStep = errors.New("the connection is out of step")

// aheadBytes bounds an answer that says that a command was done.
const aheadBytes = 4 << 10

// Reset has the server make the session as new, with what the connection's
// parameters set, and then run statements that have no rows. It does not wait:
// Settle does. An error says that the connection cannot be used any more.
func (a *MySQLAhead) Reset(statements ...string) error {
	if !a.Possible() || !a.idle() {
		return errOutOfStep
	}
	if a.set != "" {
		statements = append([]string{a.set}, statements...)
	}
	commands := packet(nil, commandReset, "")
	for _, s := range statements {
		commands = packet(commands, commandQuery, s)
	}
	a.owed = 1 + len(statements)
	_, err := a.conn.Conn.Write(commands)
	return err
}

// packet appends the packet of a command.
func packet(b []byte, command byte, text string) []byte {
	size := 1 + len(text)
	return append(append(b, byte(size), byte(size>>8), byte(size>>16), 0, command), text...)
}

// togetherBytes bounds what is sent before answers are read: so much has room
// on the way, whatever the server waits for.
const togetherBytes = 16 << 10

// Together sends queries that the driver is asked for next, in this order, in
// one write: as many as it returns, and one at least is for the driver to ask.
// Each is sent by the driver itself where that is not possible.
func (a *MySQLAhead) Together(queries []string) (sent int, err error) {
	if len(queries) < 2 || !a.Possible() {
		return 1, nil
	}
	if !a.idle() || a.owed != 0 {
		return 0, errOutOfStep
	}
	var all []byte
	for _, q := range queries {
		if len(all)+packetHead+1+len(q) > togetherBytes {
			break
		}
		from := len(all)
		all = packet(all, commandQuery, q)
		a.conn.sent = append(a.conn.sent, all[from:])
	}
	if sent = len(a.conn.sent); sent < 2 {
		a.conn.sent = nil
		return 1, nil
	}
	_, err = a.conn.Conn.Write(all)
	return sent, err
}

// idle reports whether the driver has read all that it asked for.
func (a *MySQLAhead) idle() bool {
	return a.conn.left == 0 && !a.conn.executed && len(a.conn.sent) == 0 && a.conn.in.Buffered() == 0
}

// Settle waits until the server has done what it was sent, at most for the
// given time. What it did not do is an error: of the server where it says so.
// After an error the connection cannot be used.
func (a *MySQLAhead) Settle(within time.Duration) error {
	if a.owed == 0 {
		return nil
	}
	if err := a.conn.SetReadDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	for ; a.owed > 0; a.owed-- {
		if err := a.conn.done(); err != nil {
			return err
		}
	}
	if a.conn.in.Buffered() != 0 {
		return errOutOfStep
	}
	return a.conn.SetReadDeadline(time.Time{})
}

// done reads an answer that has to be OK and nothing else.
func (c *packetConn) done() error {
	const ok, failed, moreResults = 0x00, 0xff, 0x08
	head, err := c.in.Peek(packetHead)
	if err != nil {
		return err
	}
	size := packetSize(head)
	if head[3] != 1 || size < 3 || size > aheadBytes {
		return BadAnswer("it is no answer to a command without rows")
	}
	all, err := c.in.Peek(packetHead + size)
	if err != nil {
		return err
	}
	body := all[packetHead:]
	switch {
	case body[0] == failed:
		return commandError(body)
	case body[0] != ok || size < 7 || body[1] >= 0xfb || body[2] >= 0xfb || body[3]&moreResults != 0:
		return BadAnswer("it is no answer to a command without rows")
	}
	_, err = c.in.Discard(packetHead + size)
	return err
}

// commandError is the error that a packet says.
func commandError(body []byte) error {
	e := &driversql.MySQLError{Number: binary.LittleEndian.Uint16(body[1:])}
	if text := body[3:]; len(text) >= 6 && text[0] == '#' {
		e.Message = string(text[6:])
	} else {
		e.Message = string(text)
	}
	return e
}

// ExecuteNext has the next statement that the driver prepares, which has no
// parameters, executed in the same round trip. Servers other than MariaDB
// cannot do that.
func (a *MySQLAhead) ExecuteNext() { a.conn.execute = true }
