// Package self finds the running program.
package self

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Path returns the absolute path of the running program. Where the system does
// not tell, as Linux does not without /proc (a chroot, a bare container), it is
// the one that the program was called by.
func Path() (string, error) { return path(os.Executable, os.Args[0]) }

func path(executable func() (string, error), called string) (string, error) {
	own, err := executable()
	if err == nil {
		return own, nil
	}
	found, lookup := exec.LookPath(called)
	if lookup != nil {
		return "", fmt.Errorf("%w, and %w", err, lookup)
	}
	return filepath.Abs(found)
}
