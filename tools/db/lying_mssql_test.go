package db

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
	"unicode/utf16"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// mssqlAnswer is what a lying SQL Server says to every request: tokens, or
// bytes after which the connection is closed.
type mssqlAnswer struct {
	tokens   []byte
	raw      []byte
	greeting []byte // instead of the answer to the first packet
	login    []byte // instead of the answer to the login
	hangUp   bool   // after the answer
}

const tdsReply = 4

// tdsRead reads one message, whatever its packets, and returns its type.
func tdsRead(conn net.Conn) (kind byte, err error) {
	head := make([]byte, 8)
	for {
		if _, err := io.ReadFull(conn, head); err != nil {
			return 0, err
		}
		if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint16(head[2:]))-8); err != nil {
			return 0, err
		}
		if head[1]&1 != 0 {
			return head[0], nil
		}
	}
}

func tdsWrite(conn net.Conn, body []byte) error {
	const room = 4000
	for first := true; first || len(body) > 0; first = false {
		part := body[:min(len(body), room)]
		body = body[len(part):]
		head := []byte{tdsReply, 0, 0, 0, 0, 0, 1, 0}
		if len(body) == 0 {
			head[1] = 1
		}
		binary.BigEndian.PutUint16(head[2:], uint16(len(part)+8))
		if _, err := conn.Write(append(head, part...)); err != nil {
			return err
		}
	}
	return nil
}

func ucs2(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// tdsDone says that a request is done; more: another result follows.
func tdsDone(status uint16, rows uint64) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{0xfd}, status)
	b = append(b, 0xc1, 0)
	return binary.LittleEndian.AppendUint64(b, rows)
}

var (
	tdsGreeting = []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2}
	tdsLogin    = append(append(append([]byte{0xad, 36 + 10, 0, 1, 0x74, 0, 0, 4, 18}, ucs2("Microsoft SQL Lie ")...), 16, 0, 0, 0), tdsDone(0, 0)...)
)

// tdsBegun says that a transaction began.
var tdsBegun = tdsJoin([]byte{0xe3, 11, 0, 8, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0}, tdsDone(0, 0))

// serveMSSQL lets everybody in and gives one answer.
func serveMSSQL(a mssqlAnswer) func(net.Conn) {
	return func(conn net.Conn) {
		const begin, login, transaction = 0x12, 0x10, 0x0e
		for {
			kind, err := tdsRead(conn)
			if err != nil {
				return
			}
			answer := a.tokens
			switch {
			case kind == begin && a.greeting != nil:
				answer = a.greeting
			case kind == begin:
				answer = tdsGreeting
			case kind == login && a.login != nil:
				answer = a.login
			case kind == login:
				answer = tdsLogin
			case kind == transaction:
				answer = tdsBegun
			case a.raw != nil:
				_, _ = conn.Write(a.raw)
				return
			}
			if tdsWrite(conn, answer) != nil || a.hangUp && kind != begin && kind != login && kind != transaction {
				return
			}
		}
	}
}

// tdsNVarchar and its like describe the types of columns.
var (
	tdsNVarchar = []byte{0xe7, 0x40, 0x1f, 9, 4, 0xd0, 0, 52}
	tdsMax      = []byte{0xe7, 0xff, 0xff, 9, 4, 0xd0, 0, 52}
	tdsInt      = []byte{0x38}
)

func tdsColumns(n int, kind []byte, name string) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{0x81}, uint16(n))
	for i := range n {
		b = append(b, 0, 0, 0, 0, 9, 0)
		b = append(b, kind...)
		column := name
		if column == "" {
			column = fmt.Sprintf("c%d", i)
		}
		b = append(b, byte(len(column)))
		b = append(b, ucs2(column)...)
	}
	return b
}

// tdsRow is a row of n times value.
func tdsRow(n int, value []byte) []byte {
	b := []byte{0xd1}
	for range n {
		b = append(b, value...)
	}
	return b
}

func tdsText(text string) []byte {
	t := ucs2(text)
	return append(binary.LittleEndian.AppendUint16(nil, uint16(len(t))), t...)
}

func tdsJoin(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func mssqlLies() (lies []lie) {
	add := func(name string, a mssqlAnswer) { lies = append(lies, lie{name: name, serve: serveMSSQL(a)}) }
	addOnce := func(name string, tokens []byte) {
		lies = append(lies, lie{name: name, serve: serveMSSQL(mssqlAnswer{tokens: tokens, hangUp: true}), once: true})
	}
	done := tdsDone(0x10, 1)
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16} {
		for _, value := range []string{"1", "", "U", "dbo", "\u202e"} {
			add(fmt.Sprintf("%d columns of %q", n, value), mssqlAnswer{tokens: tdsJoin(tdsColumns(n, tdsNVarchar, ""), tdsRow(n, tdsText(value)), tdsRow(n, tdsText(value)), done)})
		}
		add(fmt.Sprintf("%d columns of NULL", n), mssqlAnswer{tokens: tdsJoin(tdsColumns(n, tdsNVarchar, ""), tdsRow(n, []byte{0xff, 0xff}), done)})
		add(fmt.Sprintf("%d numbers", n), mssqlAnswer{tokens: tdsJoin(tdsColumns(n, tdsInt, ""), tdsRow(n, []byte{1, 0, 0, 0}), done)})
		add(fmt.Sprintf("%d columns, no rows", n), mssqlAnswer{tokens: tdsJoin(tdsColumns(n, tdsNVarchar, ""), tdsDone(0x10, 0))})
		add(fmt.Sprintf("%d columns, rows that are cut", n), mssqlAnswer{tokens: tdsJoin(tdsColumns(n, tdsNVarchar, ""), []byte{0xd1, 9})})
	}
	for kind := range 256 {
		addOnce(fmt.Sprintf("type %#x", kind), tdsJoin(tdsColumns(1, []byte{byte(kind), 8, 0, 9, 4, 0xd0, 0, 52}, ""), tdsRow(1, []byte{8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), done))
		addOnce(fmt.Sprintf("token %#x", kind), tdsJoin([]byte{byte(kind), 4, 0, 1, 0, 1, 0, 0, 0, 0}, done))
	}
	for name, tokens := range map[string][]byte{
		"a value of 2 GB":  tdsJoin(tdsColumns(1, tdsMax, ""), []byte{0xd1, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 1, 0, 0, 0}, done),
		"a value of 2^62":  tdsJoin(tdsColumns(1, tdsMax, ""), []byte{0xd1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f}, done),
		"an image of 2 GB": tdsJoin(tdsColumns(1, []byte{0x22, 0xff, 0xff, 0xff, 0x7f, 0, 0}, ""), []byte{0xd1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 1}, done),
	} {
		addOnce(name, tokens)
	}
	for name, tokens := range map[string][]byte{
		"nothing": {}, "rows without columns": tdsJoin(tdsRow(3, tdsText("x")), done), "an error that is cut": {0xaa, 2, 0, 1, 0},
		"columns twice": tdsJoin(tdsColumns(1, tdsInt, ""), tdsColumns(9, tdsNVarchar, ""), tdsRow(9, tdsText("x")), done),
		"65534 columns": tdsJoin([]byte{0x81, 0xfe, 0xff}, done), "no columns": tdsJoin([]byte{0x81, 0xff, 0xff}, tdsRow(1, []byte{1}), done),
		"a cursor that is text": tdsJoin(tdsColumns(1, tdsNVarchar, "berth_cursor"), tdsRow(1, tdsText("x")), done),
		"a cursor":              tdsJoin(tdsColumns(1, tdsInt, "berth_cursor"), tdsRow(1, []byte{1, 0, 0, 0}), done),
		"many results":          tdsJoin(tdsColumns(1, tdsInt, ""), tdsDone(1, 0), tdsColumns(2, tdsInt, ""), tdsDone(1, 0), tdsColumns(0, tdsInt, ""), done),
		"done, with an error":   tdsDone(2, 0), "an odd environment": tdsJoin([]byte{0xe3, 3, 0, 8, 9, 9}, done), "moved elsewhere": tdsJoin([]byte{0xe3, 12, 0, 20, 9, 0, 0, 1, 0, 2, 0, 'x', 0, 'y', 0}, done),
	} {
		add(name, mssqlAnswer{tokens: tokens})
	}
	for name, raw := range map[string]string{
		"nothing": "", "text": "HTTP/1.1 400 Bad Request\r\n\r\n", "a packet of no length": "\x04\x01\x00\x00\x00\x00\x01\x00", "a packet that is cut": "\x04\x01\x0f\x00\x00\x00\x01\x00\x81",
		"another kind": "\x01\x01\x00\x09\x00\x00\x01\x00\x00",
	} {
		add("raw: "+name, mssqlAnswer{raw: []byte(raw)})
	}
	for name, greeting := range map[string][]byte{"none": {}, "cut": {0, 0, 11}, "beyond its end": {0, 0xff, 0xff, 0xff, 0xff, 0xff}, "text": []byte("HTTP/1.1 400"), "without an end": {0, 0, 5, 0, 1}} {
		add("greeting: "+name, mssqlAnswer{greeting: greeting})
	}
	for name, login := range map[string][]byte{"none": {}, "cut": {0xad, 2, 0, 1}, "an empty one": {0xad, 0, 0}, "moved": tdsJoin([]byte{0xe3, 2, 0, 20, 9}, done)} {
		add("login: "+name, mssqlAnswer{login: login})
	}
	return lies
}

func TestALyingSQLServerIsAnError(t *testing.T) {
	endureLies(t, pool.Config{Dialect: dial.SQLServer}, mssqlLies())
}
