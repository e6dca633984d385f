package peer

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

// administrators are the users that are let in beside one's own: the system's
// own services, which virus scanners with a local proxy are.
var administrators = []User{"S-1-5-18"}

func self() (User, error) { return userOf(windows.GetCurrentProcessToken()) }

func userOf(token windows.Token) (User, error) {
	u, err := token.GetTokenUser()
	if err != nil {
		return "", err
	}
	return User(u.User.Sid.String()), nil
}

var getExtendedTCPTable = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")

const tcpTableOwnerPIDAll = 5 // listening sockets too, and connections that are being closed

// ownerOf finds the process that has the connection, and its user.
func ownerOf(_ net.Conn, from, to netip.AddrPort) (User, error) {
	table, err := tcpTable()
	if err != nil {
		return "", err
	}
	pid, err := findTCPRow(table, from, to)
	if err != nil {
		return "", err
	}
	return processOwner(pid)
}

// tcpTable reads the IPv4 connections. It grows while it is read on a busy
// machine, so the size is asked for again a few times.
func tcpTable() ([]byte, error) {
	size := uint32(64 << 10)
	for range 8 {
		table := make([]byte, size)
		code, _, _ := getExtendedTCPTable.Call(uintptr(unsafe.Pointer(&table[0])), uintptr(unsafe.Pointer(&size)),
			0, windows.AF_INET, tcpTableOwnerPIDAll, 0)
		switch windows.Errno(code) {
		case 0:
			return table, nil
		case windows.ERROR_INSUFFICIENT_BUFFER:
			size += size / 4
		default:
			return nil, fmt.Errorf("GetExtendedTcpTable: %w", windows.Errno(code))
		}
	}
	return nil, fmt.Errorf("GetExtendedTcpTable: %w", windows.ERROR_INSUFFICIENT_BUFFER)
}

// processOwner returns the user that a process runs as. A process that cannot be
// opened is another user's or runs with more rights than this process.
func processOwner(pid uint32) (User, error) {
	if pid == 0 {
		return "", ErrGone // the idle process has the connections of those that ended
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return "", ErrGone
	}
	if err != nil {
		return "", fmt.Errorf("open process %d: %w", pid, err)
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return "", fmt.Errorf("open the token of process %d: %w", pid, err)
	}
	defer token.Close()
	return userOf(token)
}
