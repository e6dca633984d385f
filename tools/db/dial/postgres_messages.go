package dial

import (
	"encoding/binary"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgproto3"
)

// postgresFrontend reads a server's messages so that only one connection of
// this process reads a large row at a time.
func postgresFrontend(r io.Reader, w io.Writer) *pgproto3.Frontend {
	if conn, ok := w.(net.Conn); ok {
		if answers := AnswerConnOf(conn); answers != nil {
			r = &messageReader{r: r, conn: answers}
		}
	}
	return pgproto3.NewFrontend(r, w)
}

// messageReader follows the messages in what it reads. It must see the length
// of a large one before the driver does, which then takes as much memory at
// once.
type messageReader struct {
	r      io.Reader
	conn   *AnswerConn
	body   uint32 // bytes left of the message's body
	large  bool   // the message is
	header [5]byte
	have   int // bytes of header
}

// Read implements [io.Reader].
func (m *messageReader) Read(b []byte) (int, error) {
	if m.large && m.body > 0 {
		// Not a byte beyond it: the driver keeps its buffer while one is unread,
		// and a connection that nobody uses would keep it.
		b = b[:min(len(b), int(m.body))]
	}
	n, err := m.r.Read(b)
	for rest := b[:n]; len(rest) > 0; {
		if m.body > 0 {
			k := min(m.body, uint32(len(rest)))
			m.body, rest = m.body-k, rest[k:]
			m.conn.gate.coming.Store(m.large && m.body > 0)
			continue
		}
		k := copy(m.header[m.have:], rest)
		m.have, rest = m.have+k, rest[k:]
		if m.have < len(m.header) {
			break
		}
		m.have = 0
		if length := binary.BigEndian.Uint32(m.header[1:]); length > 4 { // which counts itself
			m.body = length - 4
		}
		if err := m.begin(); err != nil {
			return 0, err
		}
	}
	return n, err
}

// begin is called at the beginning of each message. A large one that is a row
// of a query ends when the row has been used, any other with the next message.
func (m *messageReader) begin() error {
	m.large = m.body > largeBytes
	m.conn.gate.coming.Store(m.large)
	if m.large {
		return m.conn.gate.pass()
	}
	if !m.conn.rows.Load() {
		m.conn.gate.leave()
	}
	return nil
}
