package autostart

import (
	"github.com/berth-dev/berth/portmap"
)

// databaseMarks are names in a folder that make it a project for an error's
// advice, beside those of projectMarks: files in which a database is found. They
// have nothing started.
func databaseMarks() []string { return []string{".env", "*.db", "*.sqlite", "*.sqlite3"} }

// IsProject reports whether a canonical folder that does not run is a project
// that is stopped: it was served before, or something in it marks one. It
// decides what an error advises, and nothing else.
func IsProject(store *portmap.Store, root string, lookupEnv func(name string) (string, bool)) bool {
	if served, err := store.Served(root); err == nil && served {
		return true
	}
	return neverAutostart(root, userHome(lookupEnv)) == "" && hasMark(root, append(projectMarks(), databaseMarks()...))
}
