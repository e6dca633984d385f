package realpath

import "golang.org/x/sys/unix"

// withoutLinks reports that path exists and has no symbolic link in it. False
// leaves that open: the kernel may be older than 5.6, or a sandbox refuse the
// call. What path names is not opened, so a pipe or device does not notice.
func withoutLinks(path string) bool {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return false
	}
	_ = unix.Close(fd)
	return true
}
