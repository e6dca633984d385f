package frontend

import (
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/portmap"
)

// place returns where this process was started: the name of the project, "" if
// the working directory is none, and the machine. Only names leave the process,
// for the list of who is at an instance.
func place(isProject func(root string) bool) (project, machine string) {
	machine, _ = os.Hostname()
	dir, err := os.Getwd()
	if err != nil {
		return "", machine
	}
	if root, err := portmap.Canonical(dir); err == nil && isProject(root) {
		project = filepath.Base(root)
	}
	return project, machine
}
