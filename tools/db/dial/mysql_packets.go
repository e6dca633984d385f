package dial

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"syscall"
)

// maxMySQLColumns is far more columns than a table or a view can have.
const maxMySQLColumns = 1 << 16

// packetConn refuses an answer of MySQL that announces more columns than there
// can be: the driver makes room for as many as the server says, and room for
// 2^32 of them ends the process. It hands on one packet at a time, so that the
// driver has nothing of a later answer when it asks for one. It does not see
// through TLS.
type packetConn struct {
	net.Conn
	in       *bufio.Reader
	left     int      // bytes of the packet that is being handed on
	answer   bool     // the next packet is the first of an answer
	opaque   bool     // TLS began
	execute  bool     // the next statement that is prepared is executed at once
	executed bool     // it was; the driver does not know yet
	sent     [][]byte // commands that were sent; the driver does not know yet
}

func newPacketConn(conn net.Conn) *packetConn {
	return &packetConn{Conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
}

// The commands that matter here, by their number.
const (
	commandQuery   = 0x03
	commandPrepare = 0x16
	commandExecute = 0x17
	commandReset   = 0x1f
)

// executeLast is the packet that executes what was prepared last, without
// parameters: MariaDB takes the number of no statement for that.
var executeLast = []byte{10, 0, 0, 0, commandExecute, 0xff, 0xff, 0xff, 0xff, 0, 1, 0, 0, 0}

// packetHead is the length of a packet's head: its size in three bytes, and
// its number.
const packetHead = 4

func packetSize(head []byte) int { return int(head[0]) | int(head[1])<<8 | int(head[2])<<16 }

// Write implements [net.Conn]. The driver writes one packet at a time; one
// numbered 0 is a command.
func (c *packetConn) Write(b []byte) (int, error) {
	if len(b) <= packetHead {
		return c.Conn.Write(b)
	}
	c.opaque = c.opaque || packetSize(b)+packetHead != len(b)
	first, command := b[3] == 0, b[packetHead]
	c.answer = first && (command == commandQuery || command == commandExecute)
	switch {
	case len(c.sent) > 0:
		if !bytes.Equal(b, c.sent[0]) {
			return 0, errOutOfStep
		}
		c.sent = c.sent[1:]
		return len(b), nil
	case c.executed:
		c.executed = false
		if command != commandExecute || len(b) != len(executeLast) {
			return 0, errOutOfStep
		}
		return len(b), nil // it was sent
	case c.execute && first && command == commandPrepare && !c.opaque:
		c.execute, c.executed = false, true
		n, err := c.Conn.Write(append(b[:len(b):len(b)], executeLast...))
		return min(n, len(b)), err
	}
	return c.Conn.Write(b)
}

// Read implements [net.Conn].
func (c *packetConn) Read(b []byte) (int, error) {
	if c.opaque {
		return c.in.Read(b)
	}
	if c.left == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n, err := c.in.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// next begins the next packet.
func (c *packetConn) next() error {
	head, err := c.in.Peek(packetHead)
	if err != nil {
		return err
	}
	size := packetSize(head)
	c.left = packetHead + size
	if !c.answer {
		return nil
	}
	c.answer = false
	return c.columns(size)
}

// columns looks at the number of columns, which is written in up to nine
// bytes.
func (c *packetConn) columns(size int) error {
	const three, eight = 0xfd, 0xfe
	count := uint64(0)
	start, err := c.in.Peek(packetHead + min(size, 9))
	switch {
	case err != nil:
		return err
	case size >= 4 && start[packetHead] == three:
		count = uint64(packetSize(start[packetHead+1:]))
	case size >= 9 && start[packetHead] == eight:
		count = binary.LittleEndian.Uint64(start[packetHead+1:])
	}
	if count > maxMySQLColumns {
		return BadAnswer("it announces %d columns", count)
	}
	return nil
}

// SyscallConn lets the driver look whether an idle connection was closed.
func (c *packetConn) SyscallConn() (syscall.RawConn, error) {
	if conn, ok := c.Conn.(syscall.Conn); ok {
		return conn.SyscallConn()
	}
	return nil, errors.New("no descriptor")
}
