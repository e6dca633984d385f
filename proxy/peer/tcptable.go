package peer

import (
	"encoding/binary"
	"errors"
	"net/netip"
)

// Windows' MIB_TCPTABLE_OWNER_PID: the number of rows, then rows of six
// 32-bit numbers. Addresses are in network order; so are ports, in the lower
// half of their number.
const (
	tcpRowLen    = 24
	tcpRowLocal  = 4
	tcpRowRemote = 12
	tcpRowPID    = 20
)

var errTCPTable = errors.New("the table of connections is shorter than it says")

// findTCPRow returns the process that has the connection from one address to
// another.
func findTCPRow(table []byte, from, to netip.AddrPort) (pid uint32, err error) {
	order := binary.LittleEndian
	if len(table) < 4 {
		return 0, errTCPTable
	}
	rows := uint64(order.Uint32(table))
	if rows*tcpRowLen > uint64(len(table)-4) {
		return 0, errTCPTable
	}
	for at := 4; rows > 0; rows, at = rows-1, at+tcpRowLen {
		row := table[at : at+tcpRowLen]
		if tcpRowEnd(row[tcpRowLocal:]) == from && tcpRowEnd(row[tcpRowRemote:]) == to {
			return order.Uint32(row[tcpRowPID:]), nil
		}
	}
	return 0, ErrGone
}

func tcpRowEnd(b []byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[:4])), binary.BigEndian.Uint16(b[4:]))
}
