package portmap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/portmap/homefile"
)

// maxFileBytes bounds what is read into memory. It takes a map that gives every
// port from 50001 up to a path as long as Linux has them.
const maxFileBytes = 64 << 20

// tempMark lies between a file's name and a random one in the names of the
// files that are written before they are renamed.
const tempMark = ".tmp-"

// readFile reads a whole file, nil if there is none. An empty file is not nil.
func readFile(path string) ([]byte, error) {
	text, err := homefile.Read(path, maxFileBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, homefile.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	case err == nil && text == nil:
		return []byte{}, nil
	}
	return text, err
}

// replaceFile writes a file so that every reader sees the old content or the
// new. The caller holds the lock, and calls syncDir so that the new content
// outlives a power cut.
func replaceFile(path string, data []byte) error {
	removeLeftovers(path)
	temp, err := writeTemp(path, data)
	if err != nil {
		return err
	}
	if err := renameOver(temp, path); err != nil {
		_ = os.Remove(temp)
		return err
	}
	return nil
}

// writeTemp writes a new file beside path and brings it to the disk. Its mode
// is 0600: that is how CreateTemp makes files.
func writeTemp(path string, data []byte) (name string, err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+tempMark+"*")
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, temp.Close())
		if err != nil {
			_ = os.Remove(temp.Name())
		}
	}()
	if _, err := temp.Write(data); err != nil {
		return "", err
	}
	return temp.Name(), temp.Sync()
}

// removeLeftovers removes what a writer that was killed left. The lock is
// held, so nobody is writing one now. A leftover that cannot be removed harms
// nobody: the names are never used twice.
func removeLeftovers(path string) {
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), filepath.Base(path)+tempMark) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), file.Name()))
		}
	}
}

// setAside renames a file to a name that says when and why, and returns that
// name. It overwrites nothing.
func setAside(path string, now time.Time) (string, error) {
	aside := asideName(path, now)
	if err := renameOver(path, aside); err != nil {
		return "", fmt.Errorf("set broken file aside: %w", err)
	}
	return aside, nil
}

// asideName is a name beside path that nothing has.
func asideName(path string, now time.Time) string {
	base := path + ".broken-" + now.UTC().Format("20060102T150405Z")
	aside := base
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s-%d", base, n)
	}
	return aside
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// stat describes the file at a path; nil if there is none.
func stat(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// differ reports whether the file at a path was replaced or written between
// two calls of stat.
func differ(before, after fs.FileInfo) bool {
	if before == nil || after == nil {
		return before != after
	}
	return !os.SameFile(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime())
}
