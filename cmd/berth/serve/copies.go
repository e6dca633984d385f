package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/designer/sqlite"
)

// clearCopies removes the copies of rows that a process has left which was
// killed while it tried a plan. This one holds the project's state, so no
// other creates any now.
func (r run) clearCopies() {
	dir := r.Home.CopiesDir(r.Root)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	left := 0
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), sqlite.CopyPrefix) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
			left++
		}
	}
	if err != nil {
		r.Logger.Warn("copies of rows that a killed process left cannot be removed", "cause", err)
		return
	}
	if left > 0 {
		r.Logger.Info("removed copies of rows that a killed process left", "copies", left)
	}
}
