//go:build unix

package clients

import (
	"os"
	"syscall"
)

// keepOwner gives the new file the owner of the one it replaces: sudo berth
// init must not take a user's files away.
func keepOwner(p place, file *os.File) error {
	info, err := p.root.Stat(p.name)
	if err != nil {
		return nil // a new file
	}
	old, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(old.Uid) == os.Geteuid() {
		return nil
	}
	return file.Chown(int(old.Uid), int(old.Gid))
}
