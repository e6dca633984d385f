package db

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// mysqlAnswer is what a lying MySQL says to every query: packets, which it
// numbers.
type mysqlAnswer struct {
	packets [][]byte
	raw     []byte // sent instead, and the connection is closed
	// prepared answers COM_STMT_PREPARE; nil: no parameters, and as many
	// columns as the answer.
	prepared [][]byte
	greeting []byte // nil: an ordinary one
	columns  int
}

// mysqlWire reads and writes packets.
type mysqlWire struct {
	net.Conn
	in  *bufio.Reader
	seq byte
}

func (w *mysqlWire) read() ([]byte, error) {
	head := make([]byte, 4) // the body's size and the packet's number
	if _, err := io.ReadFull(w.in, head); err != nil {
		return nil, err
	}
	w.seq = head[3] + 1
	body := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	_, err := io.ReadFull(w.in, body)
	return body, err
}

func (w *mysqlWire) write(packets ...[]byte) error {
	var all []byte
	for _, p := range packets {
		all = append(all, byte(len(p)), byte(len(p)>>8), byte(len(p)>>16), w.seq)
		all = append(all, p...)
		w.seq++
	}
	_, err := w.Write(all)
	return err
}

var (
	mysqlOK  = []byte{0, 0, 0, 2, 0, 0, 0}
	mysqlEOF = []byte{0xfe, 0, 0, 2, 0}
)

// mysqlGreeting is a handshake of protocol 10 that asks for a native password.
func mysqlGreeting() []byte {
	const capabilities = 0x000f_f7ff &^ 0x0800 // all but TLS
	g := append([]byte{10}, "8.0.0-lie\x00"...)
	g = append(g, 1, 0, 0, 0)
	g = append(g, "12345678\x00"...)
	g = append(g, byte(capabilities&0xff), byte(capabilities>>8&0xff), 45, 2, 0, byte(capabilities>>16&0xff), byte(capabilities>>24&0xff), 21)
	g = append(g, make([]byte, 10)...)
	return append(g, "123456789012\x00mysql_native_password\x00"...)
}

// serveMySQL lets everybody in and gives one answer. What sets a session up is
// answered well, so that lies reach what comes after it.
func serveMySQL(a mysqlAnswer) func(net.Conn) {
	return func(conn net.Conn) {
		w := &mysqlWire{Conn: conn, in: bufio.NewReader(conn)}
		greeting := a.greeting
		if greeting == nil {
			greeting = mysqlGreeting()
		}
		if w.write(greeting) != nil {
			return
		}
		if _, err := w.read(); err != nil || w.write(mysqlOK) != nil {
			return
		}
		for {
			command, err := w.read()
			if err != nil || len(command) == 0 || a.answer(w, command) != nil {
				return
			}
		}
	}
}

func (a mysqlAnswer) answer(w *mysqlWire, command []byte) error {
	const quit, query, ping, prepare, execute = 1, 3, 14, 22, 23
	switch text := string(command[1:]); command[0] {
	case quit:
		return io.EOF
	case ping:
		return w.write(mysqlOK)
	case prepare:
		if a.prepared != nil {
			return w.write(a.prepared...)
		}
		packets := [][]byte{{0, 1, 0, 0, 0, byte(a.columns), byte(a.columns >> 8), 0, 0, 0, 0, 0}}
		for i := range a.columns {
			packets = append(packets, mysqlColumn(i, 0xfd))
		}
		if a.columns > 0 {
			packets = append(packets, mysqlEOF)
		}
		return w.write(packets...)
	case query, execute:
		for _, set := range []string{"SET ", "START ", "ROLLBACK"} {
			if strings.HasPrefix(text, set) {
				return w.write(mysqlOK)
			}
		}
		if a.raw != nil {
			_, _ = w.Write(a.raw)
			return io.EOF
		}
		return w.write(a.packets...)
	}
	return w.write(mysqlOK)
}

// lengthy is a text with its length before it.
func lengthy(text string) []byte { return append([]byte{byte(len(text))}, text...) }

// mysqlColumn describes a column of a type.
func mysqlColumn(i int, kind byte) []byte {
	var p []byte
	for _, text := range []string{"def", "", "", "", fmt.Sprintf("c%d", i), ""} {
		p = append(p, lengthy(text)...)
	}
	return append(p, 0x0c, 45, 0, 0xff, 0, 0, 0, kind, 0, 0, 0, 0, 0)
}

// mysqlRows are rows of n columns in the text protocol; every value is value,
// as it is encoded.
func mysqlRowsOf(n int, kind byte, value []byte, rows int) [][]byte {
	packets := [][]byte{{byte(n)}}
	for i := range n {
		packets = append(packets, mysqlColumn(i, kind))
	}
	packets = append(packets, mysqlEOF)
	for range rows {
		var row []byte
		for range n {
			row = append(row, value...)
		}
		packets = append(packets, row)
	}
	return append(packets, mysqlEOF)
}

func mysqlLies() (lies []lie) {
	add := func(name string, a mysqlAnswer) { lies = append(lies, lie{name: name, serve: serveMySQL(a)}) }
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 10, 16} {
		for _, value := range []string{"1", "", "10.11.2-MariaDB", "YES", "def", "\xff\x00"} {
			add(fmt.Sprintf("%d columns of %q", n, value), mysqlAnswer{packets: mysqlRowsOf(n, 0xfd, lengthy(value), 1), columns: n})
		}
		add(fmt.Sprintf("%d columns of NULL", n), mysqlAnswer{packets: mysqlRowsOf(n, 0xfd, []byte{0xfb}, 2), columns: n})
		add(fmt.Sprintf("%d columns, no rows", n), mysqlAnswer{packets: mysqlRowsOf(n, 0xfd, nil, 0), columns: n})
		add(fmt.Sprintf("%d columns, short rows", n), mysqlAnswer{packets: mysqlRowsOf(n, 0xfd, []byte{5}, 1), columns: n})
		add(fmt.Sprintf("%d columns, prepared as none", n), mysqlAnswer{packets: mysqlRowsOf(n, 0xfd, lengthy("1"), 1)})
	}
	addOnce := func(name string, a mysqlAnswer) {
		lies = append(lies, lie{name: name, serve: serveMySQL(a), once: true})
	}
	for kind := 0; kind < 256; kind++ {
		if kind <= 0x12 || kind >= 0xf2 {
			for _, row := range []string{"\x00\x00", "\x00\x00\x01", "\x00\x00\x03abc", "\x00\x00\x0b\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b", "\x00", "\x00\xff"} {
				addOnce(fmt.Sprintf("type %#x, row %q", kind, row), mysqlAnswer{packets: [][]byte{{1}, mysqlColumn(0, byte(kind)), mysqlEOF, []byte(row), mysqlEOF}, columns: 1})
			}
		}
	}
	huge := binary.LittleEndian.AppendUint64([]byte{0xfe}, 1<<32)
	for name, packets := range map[string][][]byte{
		"OK instead of rows": {mysqlOK}, "OK that is cut": {{0}}, "OK that is cut later": {{0, 0xfc, 1}}, "EOF instead of rows": {mysqlEOF}, "an empty packet": {{}},
		"an error that is cut": {{0xff}}, "an error without words": {{0xff, 0x10, 0x04}}, "an odd error": {{0xff, 0xff, 0xff, '#'}},
		"a file is asked for": {append([]byte{0xfb}, "/etc/passwd"...)}, "2^32 columns": {huge}, "2^24 columns": {{0xfd, 0xff, 0xff, 0xff}},
		"2^62 columns": {binary.LittleEndian.AppendUint64([]byte{0xfe}, 1<<62)}, "a number of columns that is cut": {{0xfc}}, "and another": {{0xfe}},
		"a column that is cut": {{1}, {3, 'd'}, mysqlEOF}, "an empty column": {{1}, {0xfb}, mysqlEOF}, "EOF for columns": {{3}, mysqlEOF},
		"OK for a row": {{1}, mysqlColumn(0, 0xfd), mysqlEOF, mysqlOK, mysqlEOF}, "more results": {{0, 0, 0, 10, 0, 0, 0}, {0, 0, 0, 2, 0, 0, 0}},
	} {
		add(name, mysqlAnswer{packets: packets, columns: 1})
	}
	for name, packets := range map[string][][]byte{
		"cut": {{0}}, "parameters": {{0, 1, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0}}, "an error": {{0xff, 0x28, 0x04}}, "columns": {{0, 1, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0}, {}, mysqlEOF},
		"of one parameter": {{0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}, mysqlColumn(0, 0xfd), mysqlEOF, mysqlColumn(0, 0xfd), mysqlEOF},
	} {
		add("prepared: "+name, mysqlAnswer{packets: mysqlRowsOf(6, 0xfd, lengthy("1"), 1), prepared: packets})
	}
	for name, raw := range map[string]string{
		"nothing": "", "text": "HTTP/1.1 400 Bad Request\r\n\r\n", "a wrong number": "\x01\x00\x00\x09\x01", "16 MB announced": "\xff\xff\xff\x01\x01", "cut": "\x05\x00\x00\x01\x01",
	} {
		add("raw: "+name, mysqlAnswer{raw: []byte(raw)})
	}
	for name, greeting := range map[string]string{
		"cut": "\x0a8.0", "an old protocol": "\x09x\x00", "an error": "\xff\x10\x04no", "a short one": "\x0a8\x00\x01\x00\x00\x00",
	} {
		add("greeting: "+name, mysqlAnswer{greeting: []byte(greeting)})
	}
	return lies
}

func TestALyingMySQLIsAnError(t *testing.T) {
	t.Parallel()
	endureLies(t, pool.Config{Dialect: dial.MySQL}, mysqlLies())
}
