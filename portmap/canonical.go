package portmap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/berth-dev/berth/portmap/realpath"
)

// ErrNotAbsolute is returned for a path that is not absolute.
var ErrNotAbsolute = errors.New("not an absolute path")

// Canonical returns the key under which every process knows the project at
// path: absolute, cleaned, symbolic links resolved, native separators, on
// Windows an upper-case drive letter.
//
// The error wraps [ErrNotAbsolute], or [fs.ErrNotExist] if the path does not
// exist, including paths that cannot exist: one whose parent is a file, one
// that is too long, or a link to itself. Any other error comes from reading the
// disk.
func Canonical(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("project root %q: %w", path, ErrNotAbsolute)
	}
	resolved, err := realpath.Resolve(path)
	if err != nil {
		return "", fmt.Errorf("resolve project root: %w", resolveError(path, err))
	}
	if hasDrives {
		resolved = upperDrive(resolved)
	}
	if !utf8.ValidString(resolved) {
		return "", fmt.Errorf("project root %q is not valid UTF-8 and cannot be kept in the port map", resolved)
	}
	return resolved, nil
}

// resolveError returns an error that wraps fs.ErrNotExist if the path cannot
// exist, and err otherwise. It calls Stat because EvalSymlinks reports a link
// to itself with an untyped error.
func resolveError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, statErr := os.Stat(path)
	for _, never := range [...]error{syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL} {
		if errors.Is(statErr, never) {
			return fmt.Errorf("%w: %w", statErr, fs.ErrNotExist)
		}
	}
	if isImpossibleName(statErr) {
		return fmt.Errorf("%w: %w", statErr, fs.ErrNotExist)
	}
	return err
}

// upperDrive upper-cases a Windows path's drive letter and drops the prefix
// that only lifts the length limit: \\?\c:\app and C:\app are one project.
func upperDrive(path string) string {
	const long, longShare = `\\?\`, `\\?\UNC\`
	if rest, ok := strings.CutPrefix(path, longShare); ok {
		return `\\` + rest
	}
	if rest, ok := strings.CutPrefix(path, long); ok && hasDrive(rest) {
		path = rest
	}
	if hasDrive(path) {
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	return path
}

func hasDrive(path string) bool {
	if len(path) < 2 || path[1] != ':' {
		return false
	}
	letter := path[0] | 0x20
	return 'a' <= letter && letter <= 'z'
}

// foldRoot returns root in the form used for comparisons: root itself, or in
// lower case where the platform's paths ignore case.
func foldRoot(root string) string {
	if foldsCase {
		return strings.ToLower(root)
	}
	return root
}
