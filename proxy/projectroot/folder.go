// Package projectroot keeps a project's folder open and reports whether the
// project's path still names it. It is for the process that serves a project:
// some of its parts use the folder by handle (files), others by path (databases,
// exports, settings, designs), and they refer to the same folder only as long as
// [Folder.Check] returns nil. The package opens nothing inside the folder.
//
// Start with [Open].
package projectroot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The errors of [Folder.Check].
var (
	ErrReplaced = errors.New("another folder is there now")
	ErrGone     = errors.New("the folder is gone")
)

// Folder is a folder with its path. It is safe for concurrent use.
type Folder struct {
	path   string
	handle *os.File // keeps the system from reusing the folder's identity
	info   fs.FileInfo
}

// Open opens the folder at an absolute path. The caller must close it.
func Open(path string) (*Folder, error) {
	handle, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the project's folder: %w", err)
	}
	info, err := handle.Stat()
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("open the project's folder: %s is not a directory", path)
	}
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return &Folder{path: path, handle: handle, info: info}, nil
}

// Check returns nil if the path still names the folder. It costs one stat. The
// error is [ErrReplaced] if the path names another folder, and otherwise wraps
// [ErrGone].
func (f *Folder) Check() error {
	now, err := os.Stat(f.path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrGone, err)
	case !now.IsDir():
		return fmt.Errorf("%w: %s is not a directory now", ErrGone, f.path)
	case !os.SameFile(f.info, now):
		return ErrReplaced
	}
	return nil
}

// Close closes the folder's handle.
func (f *Folder) Close() error { return f.handle.Close() }
