//go:build unix && !linux

package disk

import (
	"io/fs"
	"time"
)

// touched is when a file or its name last changed.
func touched(info fs.FileInfo) time.Time { return info.ModTime() }
