package db

import (
	"github.com/berth-dev/berth/tools/db/dial"
)

// meteredRows returns a sink that hands rows on to into, so that each row
// counts by itself on conn.
func meteredRows(conn *dial.AnswerConn, into sink) sink {
	if conn == nil {
		return into
	}
	return eachRow{into, conn}
}

type eachRow struct {
	sink
	conn *dial.AnswerConn
}

func (s eachRow) Row(values []any) (bool, error) {
	s.conn.Reset()
	return s.sink.Row(values)
}
