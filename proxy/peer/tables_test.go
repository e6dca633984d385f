package peer

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	client = netip.MustParseAddrPort("127.0.0.1:52345")
	berth  = netip.MustParseAddrPort("127.0.0.1:50001")
)

// pcb is a run of records as macOS 15 lists a socket: addresses, socket, two
// buffers, statistics, TCP.
func pcb(local, foreign netip.AddrPort, uid uint32, mapped bool) []byte {
	inet := record(pcbInet, 104)
	binary.BigEndian.PutUint16(inet[16:], foreign.Port())
	binary.BigEndian.PutUint16(inet[18:], local.Port())
	inet[44] = pcbIPv4
	if mapped {
		inet[44] = pcbIPv6
		copy(inet[58:], "\xff\xff")
		copy(inet[74:], "\xff\xff")
	}
	copy(inet[60:], foreign.Addr().AsSlice())
	copy(inet[76:], local.Addr().AsSlice())
	socket := record(pcbSocket, 72)
	binary.LittleEndian.PutUint32(socket[64:], uid)
	binary.LittleEndian.PutUint32(socket[68:], 4242) // the last process
	run := append(inet, socket...)
	run = append(run, record(0x002, 36)...)
	run = append(run, 0, 0, 0, 0) // to 8 bytes
	run = append(run, record(0x004, 32)...)
	run = append(run, record(0x008, 136)...)
	return append(run, record(0x020, 208)...)
}

func record(kind uint32, size int) []byte {
	b := make([]byte, size)
	binary.LittleEndian.PutUint32(b, uint32(size))
	binary.LittleEndian.PutUint32(b[4:], kind)
	return b
}

func pcbList(runs ...[]byte) []byte {
	head := make([]byte, 24)
	binary.LittleEndian.PutUint32(head, 24)
	list := head
	for _, r := range runs {
		list = append(list, r...)
	}
	return append(list, head...)
}

func TestTheListOfMacOSNamesTheOwner(t *testing.T) {
	other := netip.MustParseAddrPort("127.0.0.1:50002")
	list := pcbList(
		pcb(berth, client, 501, false), // our own end
		pcb(client, other, 502, false), // the same port to another
		pcb(client, berth, 503, false),
		pcb(netip.MustParseAddrPort("127.0.0.1:6"), berth, 504, true),
	)
	owner, err := findPCB(list, client, berth)
	require.NoError(t, err)
	assert.Equal(t, User("503"), owner)
	owner, err = findPCB(list, netip.MustParseAddrPort("127.0.0.1:6"), berth)
	require.NoError(t, err)
	assert.Equal(t, User("504"), owner, "an IPv6 socket to an IPv4 address")
	_, err = findPCB(list, netip.MustParseAddrPort("127.0.0.1:7"), berth)
	assert.ErrorIs(t, err, ErrGone)
	for cut := range list {
		_, err := findPCB(list[:cut], netip.MustParseAddrPort("127.0.0.1:7"), berth)
		assert.Error(t, err, "cut at %d", cut)
	}
}

func TestTheTableOfWindowsNamesTheProcess(t *testing.T) {
	// state, local address and port, remote address and port, process
	table, err := hex.DecodeString(strings.ReplaceAll(
		"02000000"+
			" 05000000 7f000001 c3510000 7f000001 cc790000 d2040000"+ // 50001 → 52345: our own end, process 1234
			" 05000000 7f000001 cc790000 7f000001 c3510000 11220000", " ", ""))
	require.NoError(t, err)
	pid, err := findTCPRow(append(table, make([]byte, 100)...), client, berth)
	require.NoError(t, err)
	assert.EqualValues(t, 0x2211, pid)
	_, err = findTCPRow(table, berth, berth)
	assert.ErrorIs(t, err, ErrGone)
	for cut := range table {
		_, err := findTCPRow(table[:cut], client, berth)
		assert.Error(t, err)
	}
}

func FuzzTables(f *testing.F) {
	f.Add(pcbList(pcb(client, berth, 1, false)))
	f.Add([]byte{1, 0, 0, 0})
	f.Fuzz(func(_ *testing.T, table []byte) {
		_, _ = findPCB(table, client, berth)
		_, _ = findTCPRow(table, client, berth)
	})
}
