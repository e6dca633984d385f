package portmap

import (
	"os"

	"github.com/berth-dev/berth/portmap/homefile"
)

func renameOver(from, to string) error {
	return homefile.WhileInUse(func() error { return os.Rename(from, to) })
}

// syncDir does nothing: Windows has no handle to flush a directory by, and
// NTFS journals the rename.
func syncDir(string) error { return nil }
