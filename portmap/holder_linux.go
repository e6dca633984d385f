package portmap

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockHolder returns the process that holds the lock on a file, or 0.
func lockHolder(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	device := uint64(stat.Dev) // 32 bits wide on some architectures
	return findHolder(string(locks), unix.Major(device), unix.Minor(device), stat.Ino)
}

// findHolder looks for a file in the text of /proc/locks, whose lines read
//
//	1: FLOCK  ADVISORY  WRITE 3798 fe:00:770204 0 EOF
//
// with the device in hexadecimal. For some file systems (btrfs, overlayfs) the
// device differs from the one of stat; then the inode alone decides, if only
// one lock has it. A line with "->" is a process that waits for the lock above
// it.
func findHolder(locks string, major, minor uint32, inode uint64) int {
	exact := fmt.Sprintf("%02x:%02x:%d", major, minor, inode)
	suffix := fmt.Sprintf(":%d", inode)
	var alike []int
	for line := range strings.Lines(locks) {
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] != "FLOCK" {
			continue
		}
		pid, err := strconv.Atoi(fields[4])
		if err != nil || pid <= 0 { // in another PID namespace
			continue
		}
		if fields[5] == exact {
			return pid
		}
		if strings.HasSuffix(fields[5], suffix) {
			alike = append(alike, pid)
		}
	}
	if len(alike) == 1 {
		return alike[0]
	}
	return 0
}
