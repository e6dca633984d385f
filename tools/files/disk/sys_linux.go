package disk

import (
	"io/fs"
	"syscall"
	"time"
)

// touched is when a file or its name last changed: of a file that was
// displaced by an edit, when that was.
func touched(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return info.ModTime()
	}
	return time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec))
}
