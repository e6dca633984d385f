//go:build !linux && !darwin && !windows

package cli

import (
	"errors"
	"os"
)

// withoutEcho is not known of this system.
func withoutEcho(*os.File) (back func(), err error) {
	return nil, errors.New("this system's terminal cannot be silenced")
}
