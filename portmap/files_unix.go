//go:build !windows

package portmap

import (
	"errors"
	"os"
)

func renameOver(from, to string) error { return os.Rename(from, to) }

// syncDir syncs a rename to the disk.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
