//go:build unix

package autostart

import (
	"os"
	"syscall"
)

// ownFolder reports whether a folder belongs to the user of this process.
func ownFolder(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid(), nil
}
