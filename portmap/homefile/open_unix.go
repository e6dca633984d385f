//go:build !windows

package homefile

import (
	"os"
	"syscall"
)

// open does not wait for a writer: a pipe may have taken the file's place
// since it was looked at.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
