package disk

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// nonBlocking: opening waits for nothing here.
const nonBlocking = 0

func isDiskFull(err error) bool { return errors.Is(err, windows.ERROR_DISK_FULL) }

// linksOf is how many names a file has.
func linksOf(file *os.File, _ fs.FileInfo) uint64 {
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(file.Fd()), &info) != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}

// keepOwner: a new file has the owner and the rights of its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// touched is when a file or its name last changed.
func touched(info fs.FileInfo) time.Time { return info.ModTime() }
