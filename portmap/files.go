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

// maxFileBytes bounds the files read into memory. It is enough for a map of all
// ports from 50001 up to paths of the maximum length on Linux.
const maxFileBytes = 64 << 20

// tempMark separates a file's name from a random suffix in the names of
// temporary files.
const tempMark = ".tmp-"

// readFile returns the content of a file, or nil if there is none. The content
// of an empty file is not nil.
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

// replaceFile writes a file so that every reader sees either the old content or
// the new. The caller holds the lock, and calls syncDir so that the new content
// survives a power failure.
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

// writeTemp writes and syncs a new file beside path. Its mode is 0600, as
// CreateTemp sets it.
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

// removeLeftovers removes the temporary files of a writer that was killed. The
// caller holds the lock, so nobody is writing one now. A file that cannot be
// removed does no harm, since the names are never reused.
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

// setAside renames a file to a name that contains the time and the reason, and
// returns that name. It never overwrites a file.
func setAside(path string, now time.Time) (string, error) {
	aside := asideName(path, now)
	if err := renameOver(path, aside); err != nil {
		return "", fmt.Errorf("set broken file aside: %w", err)
	}
	return aside, nil
}

// asideName returns an unused name beside path.
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

// stat returns the FileInfo of the file at a path, or nil if there is none.
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
