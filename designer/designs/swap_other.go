//go:build !linux

package designs

import (
	"errors"
	"os"
)

// swap does nothing: this system cannot exchange files.
func swap(*os.File, string, string) error { return errors.ErrUnsupported }
