package disk

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// nonBlocking is 0: opening never blocks here.
const nonBlocking = 0

func isDiskFull(err error) bool { return errors.Is(err, windows.ERROR_DISK_FULL) }

// keepOwner does nothing: a new file inherits owner and rights from its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// touched returns when a file last changed.
func touched(info fs.FileInfo) time.Time { return info.ModTime() }
