package disk

import (
	"io/fs"
	"syscall"
	"time"
)

// touched returns when a file or its name last changed. For a file displaced by
// an edit that is the time of the edit.
func touched(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return info.ModTime()
	}
	return time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec))
}
