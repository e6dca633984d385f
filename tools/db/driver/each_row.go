package driver

import (
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// meteredRows returns a sink that hands rows on to into, so that each row
// counts by itself on conn.
func meteredRows(conn *dial.AnswerConn, into rowset.Sink) rowset.Sink {
	if conn == nil {
		return into
	}
	conn.Row() // the first
	return eachRow{into, conn}
}

type eachRow struct {
	rowset.Sink
	conn *dial.AnswerConn
}

func (s eachRow) Row(values []any) (bool, error) {
	s.conn.Row()
	return s.Sink.Row(values)
}
