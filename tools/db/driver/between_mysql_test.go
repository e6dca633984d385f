package driver

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// between puts something before the server that hands on commands as it
// likes: change gets each packet of the client, and nil drops it.
func between(t testing.TB, s served, change func(packet []byte) []byte) served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	address := net.JoinHostPort(s.Address.Host, strconv.Itoa(s.Address.Port))
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				server, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				defer server.Close()
				go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
				for in := bufio.NewReader(client); ; {
					head, err := in.Peek(4)
					if err != nil {
						return
					}
					packet := make([]byte, 4+int(head[0])|int(head[1])<<8|int(head[2])<<16)
					if _, err := io.ReadFull(in, packet); err != nil {
						return
					}
					if _, err := server.Write(change(packet)); err != nil {
						return
					}
				}
			}()
		}
	}()
	s.Address.Host, s.Address.Port = "127.0.0.1", l.Addr().(*net.TCPAddr).Port
	return s
}

// isReset reports whether a packet is the command that makes a session as new.
func isReset(packet []byte) bool {
	return len(packet) == 5 && packet[3] == 0 && packet[4] == 0x1f
}

// Where sessions are not made as new, whatever stands between us and the
// server says of it, every query has one of its own.
func TestASessionThatIsNotMadeAsNewIsNotUsedAgain(t *testing.T) {
	const ping, unknown = 0x0e, 0x7e
	for name, change := range map[string]func([]byte) []byte{
		"it is said to be, and is not": func(p []byte) []byte { return append(p[:4:4], ping) },
		"it is refused":                func(p []byte) []byte { return append(p[:4:4], unknown) },
		"there is no answer":           func([]byte) []byte { return nil },
		"the connection ends":          func([]byte) []byte { return []byte{1, 0, 0, 0, 1} },
	} {
		t.Run(name, func(t *testing.T) {
			s := mysqlServed(t, "CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)")
			resets := 0
			s = between(t, s, func(p []byte) []byte {
				if !isReset(p) {
					return p
				}
				resets++
				return change(p)
			})
			c := s.connect(t)
			seen := map[int]bool{}
			for range 4 {
				r := ask(t, c, "SELECT a FROM t")
				assert.False(t, r.IsError, r.Content)
				id := serving(t, c)
				assert.False(t, seen[id], "used twice")
				seen[id] = true
			}
			if name != "the connection ends" { // that says nothing of the server
				assert.True(t, c.(*mysqlDatabase).single.Load())
				assert.LessOrEqual(t, resets, 2)
			}
		})
	}
}

// A statement is executed in the round trip in which it is prepared, and only
// if nothing went wrong with it: what is left of that is out of the way of
// later queries.
func TestAStatementThatCannotBePreparedIsNotExecuted(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1), (2)")
	c := s.connect(t)
	for range 3 {
		r := ask(t, c, "SELECT a FROM t ORDER BY a")
		assert.Contains(t, r.Content[0], `"rows":[[1],[2]]`)
		r = ask(t, c, "SELECT nothing FROM t")
		assert.Contains(t, r.Content[0], "Unknown column 'nothing'")
		r = ask(t, c, "SELECT ? FROM t")
		assert.True(t, r.IsError, r.Content)
	}
}
