package disk

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// attributes holds a file's extended attributes, including access control
// lists.
type attributes map[string][]byte

// attributesOf reads the attributes of a file of a folder. A file system
// without them has none.
func attributesOf(dir int, base string) (attributes, error) {
	fd, err := unix.Openat(dir, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, errStale
	}
	defer func() { _ = unix.Close(fd) }() // only read
	names := make([]byte, 64<<10)         // the most there can be
	n, err := unix.Flistxattr(fd, names)
	if err != nil {
		return nil, nil
	}
	all := attributes{}
	value := make([]byte, 64<<10)
	for name := range strings.SplitSeq(string(names[:n]), "\x00") {
		if name == "" {
			continue
		}
		n, err := unix.Fgetxattr(fd, name, value)
		if err != nil {
			continue // removed meanwhile, or not readable for us
		}
		all[name] = append([]byte(nil), value[:n]...)
	}
	return all, nil
}

// set sets the attributes on a new file, except those that the system itself
// manages (security labels, integrity measurements).
func (a attributes) set(file *os.File) error {
	for name, value := range a {
		err := unix.Fsetxattr(int(file.Fd()), name, value, 0)
		ours := strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "system.posix_acl")
		if err != nil && ours && !errors.Is(err, unix.EOPNOTSUPP) {
			return refuse(Forbidden, "the file's attribute %s could not be kept: %v", fmt.Sprintf("%.64q", name), err)
		}
	}
	return nil
}
