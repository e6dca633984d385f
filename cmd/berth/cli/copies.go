package cli

import (
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/designer/sqlite"
)

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
