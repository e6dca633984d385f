package db

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// postgresAnswer is what a lying PostgreSQL says to every statement.
type postgresAnswer struct {
	fields []pgproto3.FieldDescription
	rows   [][][]byte
	last   []pgproto3.BackendMessage // after the rows; nil: that the statement is complete
	raw    []byte                    // sent instead of all of it, and the connection is closed
	status byte                      // of the transaction; 0: idle
}

// servePostgres lets everybody in and gives one answer.
func servePostgres(a postgresAnswer) func(net.Conn) {
	return func(conn net.Conn) {
		b := pgproto3.NewBackend(conn, conn)
		for {
			m, err := b.ReceiveStartupMessage()
			if err != nil {
				return
			}
			if _, ok := m.(*pgproto3.StartupMessage); ok {
				break
			}
			if _, ok := m.(*pgproto3.CancelRequest); ok {
				return
			}
			if _, err := conn.Write([]byte("N")); err != nil {
				return
			}
		}
		b.Send(&pgproto3.AuthenticationOk{})
		b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
		b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
		b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		parameters := 0
		for b.Flush() == nil {
			m, err := b.Receive()
			if err != nil {
				return
			}
			if a.raw != nil && !isQuiet(m) {
				_, _ = conn.Write(a.raw)
				return
			}
			a.answer(b, m, &parameters)
		}
	}
}

// isQuiet reports whether a message asks nothing by itself.
func isQuiet(m pgproto3.FrontendMessage) bool {
	switch m.(type) {
	case *pgproto3.Query, *pgproto3.Execute, *pgproto3.Describe:
		return false
	}
	return true
}

func (a postgresAnswer) answer(b *pgproto3.Backend, m pgproto3.FrontendMessage, parameters *int) {
	switch m := m.(type) {
	case *pgproto3.Query:
		a.describe(b)
		a.execute(b)
		a.ready(b)
	case *pgproto3.Parse:
		*parameters = 0
		for strings.Contains(m.Query, fmt.Sprintf("$%d", *parameters+1)) {
			*parameters++
		}
		b.Send(&pgproto3.ParseComplete{})
	case *pgproto3.Bind:
		b.Send(&pgproto3.BindComplete{})
	case *pgproto3.Describe:
		if m.ObjectType == 'S' {
			oids := make([]uint32, *parameters)
			for i := range oids {
				oids[i] = 25
			}
			b.Send(&pgproto3.ParameterDescription{ParameterOIDs: oids})
		}
		a.describe(b)
	case *pgproto3.Execute:
		a.execute(b)
	case *pgproto3.Sync:
		a.ready(b)
	case *pgproto3.Close:
		b.Send(&pgproto3.CloseComplete{})
	}
}

func (a postgresAnswer) describe(b *pgproto3.Backend) {
	if a.fields == nil {
		b.Send(&pgproto3.NoData{})
		return
	}
	b.Send(&pgproto3.RowDescription{Fields: a.fields})
}

func (a postgresAnswer) execute(b *pgproto3.Backend) {
	for _, row := range a.rows {
		b.Send(&pgproto3.DataRow{Values: row})
	}
	if a.last == nil {
		b.Send(&pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, "SELECT %d", len(a.rows))})
	}
	for _, m := range a.last {
		b.Send(m)
	}
}

func (a postgresAnswer) ready(b *pgproto3.Backend) {
	status := a.status
	if status == 0 {
		status = 'T'
	}
	b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
}

// postgresFields are n columns of a type.
func postgresFields(n int, oid uint32) []pgproto3.FieldDescription {
	all := make([]pgproto3.FieldDescription, n)
	for i := range all {
		all[i] = pgproto3.FieldDescription{Name: fmt.Appendf(nil, "c%d", i), DataTypeOID: oid, DataTypeSize: -1, TypeModifier: -1}
	}
	return all
}

// repeated is a row of n times value; nil is NULL.
func repeated(n int, value []byte) [][]byte {
	row := make([][]byte, n)
	for i := range row {
		row[i] = value
	}
	return row
}

// postgresLies are answers of every number of columns that berth asks for,
// with every value that it may take for something, and answers that are none.
func postgresLies() (lies []lie) {
	add := func(name string, a postgresAnswer) { lies = append(lies, lie{name: name, serve: servePostgres(a)}) }
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16} {
		for _, value := range []string{"t", "1", "150020", "", "r", "SELECT 1", "\xff\x00", "NULL"} {
			v := []byte(value)
			if value == "NULL" {
				v = nil
			}
			add(fmt.Sprintf("%d columns of %q", n, value), postgresAnswer{fields: postgresFields(n, 25), rows: [][][]byte{repeated(n, v), repeated(n, v)}})
			if n == 0 {
				break
			}
		}
	}
	for _, oid := range []uint32{16, 17, 20, 26, 700, 701, 1700, 1114, 1184, 2950, 3802, 1007, 1009, 600, 0, 1 << 31} {
		for _, value := range []string{"", "x", "{1,{2", "\x00\x00\x00\x01"} {
			add(fmt.Sprintf("type %d, value %q", oid, value), postgresAnswer{fields: postgresFields(1, oid), rows: [][][]byte{{[]byte(value)}}})
		}
	}
	add("fewer values than columns", postgresAnswer{fields: postgresFields(8, 25), rows: [][][]byte{repeated(2, []byte("t"))}})
	add("more values than columns", postgresAnswer{fields: postgresFields(1, 25), rows: [][][]byte{repeated(9, []byte("t"))}})
	add("values without columns", postgresAnswer{rows: [][][]byte{repeated(8, []byte("t"))}})
	add("columns without values", postgresAnswer{fields: postgresFields(8, 25), rows: [][][]byte{{}}})
	add("no rows", postgresAnswer{fields: postgresFields(8, 25)})
	add("nothing but that it is done", postgresAnswer{})
	add("an empty query", postgresAnswer{last: []pgproto3.BackendMessage{&pgproto3.EmptyQueryResponse{}}})
	add("a suspended portal", postgresAnswer{fields: postgresFields(1, 25), rows: [][][]byte{{nil}}, last: []pgproto3.BackendMessage{&pgproto3.PortalSuspended{}, &pgproto3.CommandComplete{}}})
	add("an odd tag", postgresAnswer{last: []pgproto3.BackendMessage{&pgproto3.CommandComplete{CommandTag: []byte("SELECT -99999999999999999999")}}})
	add("an error without words", postgresAnswer{last: []pgproto3.BackendMessage{&pgproto3.ErrorResponse{}}})
	add("an error after rows", postgresAnswer{fields: postgresFields(1, 25), rows: [][][]byte{{[]byte("t")}},
		last: []pgproto3.BackendMessage{&pgproto3.ErrorResponse{Severity: "ERROR", Code: "XX000", Message: "no"}}})
	add("a column twice described", postgresAnswer{fields: postgresFields(1, 25), last: []pgproto3.BackendMessage{
		&pgproto3.RowDescription{Fields: postgresFields(9, 16)}, &pgproto3.DataRow{Values: repeated(2, nil)}, &pgproto3.CommandComplete{}}})
	add("copy in", postgresAnswer{last: []pgproto3.BackendMessage{&pgproto3.CopyInResponse{}, &pgproto3.CommandComplete{}}})
	add("copy out", postgresAnswer{last: []pgproto3.BackendMessage{&pgproto3.CopyOutResponse{}, &pgproto3.CopyData{Data: []byte("x")}, &pgproto3.CopyDone{}, &pgproto3.CommandComplete{}}})
	add("a status that is none", postgresAnswer{fields: postgresFields(1, 25), rows: [][][]byte{{nil}}, status: 'X'})
	for name, raw := range map[string]string{
		"nothing": "", "a message of 2 GB": "D\x7f\xff\xff\xff\x00\x01", "a message of length 0": "D\x00\x00\x00\x00", "a negative length": "T\xff\xff\xff\xff",
		"a row that is cut": "D\x00\x00\x00\x0c\x00\x01\x00\x00\xff\xff\x01", "an unknown message": "~\x00\x00\x00\x04",
		"columns that are cut": "T\x00\x00\x00\x08\xff\xff\x00\x00", "a value beyond its row": "T\x00\x00\x00\x06\x00\x00D\x00\x00\x00\x0a\x00\x01\x7f\xff\xff\xff",
		"an error that is cut": "E\x00\x00\x00\x06S\x00", "text": "HTTP/1.1 400 Bad Request\r\n\r\n", "another authentication": "R\x00\x00\x00\x08\x00\x00\x00\x03",
	} {
		add("raw: "+name, postgresAnswer{raw: []byte(raw)})
	}
	return lies
}

func TestALyingPostgreSQLIsAnError(t *testing.T) {
	t.Parallel()
	endureLies(t, pool.Config{Dialect: dial.PostgreSQL}, postgresLies())
}
