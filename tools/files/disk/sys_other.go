//go:build unix && !linux

package disk

import (
	"io/fs"
	"time"
)

// touched returns when a file last changed.
func touched(info fs.FileInfo) time.Time { return info.ModTime() }
