package cli

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
// other makes any now.
func (i instanceOf) clearCopies() {
	dir := i.home.CopiesDir(i.root)
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
		i.log.Warn("copies of rows that a killed process left cannot be removed", "cause", err)
		return
	}
	if left > 0 {
		i.log.Info("removed copies of rows that a killed process left", "copies", left)
	}
}

// examineCopies names the copies of rows that killed processes have left: of
// projects that nobody serves now, and of an older berth among the system's
// temporary files.
func (l *link) examineCopies(e *examination) {
	places, _ := filepath.Glob(filepath.Join(l.home.Dir(), "copies", "*", sqlite.CopyPrefix+"*"))
	older, _ := filepath.Glob(filepath.Join(os.TempDir(), sqlite.CopyPrefix+"*"))
	for _, path := range places {
		e.note("%s holds a copy of rows: a plan is being tried, or a killed process left it; the next berth serve of the project removes it", path)
	}
	for _, path := range older {
		e.note("%s holds a copy of rows that a killed process left: remove it", path)
	}
}
