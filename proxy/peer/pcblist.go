package peer

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"strconv"
)

// The list of macOS's sysctl net.inet.tcp.pcblist_n: a header (struct
// xinpgen), then for each socket a run of records, each preceded by its length
// and kind and padded to 8 bytes. The first of a run is the socket's
// addresses (struct xinpcb_n, bsd/netinet/in_pcb.h), the next the socket
// (struct xsocket_n, bsd/sys/socketvar.h); both are packed to 4 bytes. It
// ends with a header again. Numbers are little-endian on every Mac that Go
// knows; ports and addresses are in network order.
const (
	pcbSocket = 0x001 // XSO_SOCKET
	pcbInet   = 0x010 // XSO_INPCB

	pcbHeaderLen   = 24
	pcbForeignPort = 16
	pcbLocalPort   = 18
	pcbVersion     = 44
	pcbForeignIP   = 48 // 16 bytes, of which IPv4 has the last 4
	pcbLocalIP     = 64
	pcbInetLen     = 80
	pcbUID         = 64
	pcbSocketLen   = 68
	pcbIPv4        = 0x1
	pcbIPv6        = 0x2
)

var errPCBList = errors.New("the list of sockets is not of the expected form")

// findPCB returns the owner of the socket from one address to another.
func findPCB(list []byte, from, to netip.AddrPort) (User, error) {
	order := binary.LittleEndian
	if len(list) < pcbHeaderLen || order.Uint32(list) != pcbHeaderLen {
		return "", errPCBList
	}
	matches := false
	for at := pcbHeaderLen; at+8 <= len(list); {
		size, kind := int(order.Uint32(list[at:])), order.Uint32(list[at+4:])
		if size == pcbHeaderLen && at+size == len(list) {
			break // the header again
		}
		if size < 8 || size > len(list)-at {
			return "", errPCBList
		}
		record := list[at : at+size]
		switch {
		case kind == pcbInet && size < pcbInetLen, kind == pcbSocket && size < pcbSocketLen:
			return "", errPCBList
		case kind == pcbInet:
			matches = pcbEnd(record, pcbLocalPort, pcbLocalIP) == from && pcbEnd(record, pcbForeignPort, pcbForeignIP) == to
		case kind == pcbSocket && matches:
			return User(strconv.FormatUint(uint64(order.Uint32(record[pcbUID:])), 10)), nil
		}
		at += (size + 7) &^ 7
	}
	return "", ErrGone
}

// pcbEnd is one end of a socket.
func pcbEnd(record []byte, port, ip int) netip.AddrPort {
	wide := [16]byte(record[ip : ip+16])
	addr := netip.AddrFrom16(wide)
	if record[pcbVersion]&pcbIPv4 != 0 || record[pcbVersion]&pcbIPv6 == 0 {
		addr = netip.AddrFrom4([4]byte(wide[12:]))
	}
	return netip.AddrPortFrom(addr.Unmap(), binary.BigEndian.Uint16(record[port:]))
}
