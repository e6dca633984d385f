// Package projectroot holds on to the folder that a project's path named when
// it was opened, and reports whether the path still names it. It is for the
// one process that serves a project: its parts (files by handles, databases
// and exports by paths, settings, designs) speak of one folder only for as
// long as [Folder.Check] says nothing. It opens nothing inside the folder.
//
// Start from [Open].
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
	handle *os.File // keeps the system from giving the folder's identity to another
	info   fs.FileInfo
}

// Open opens the folder at an absolute path. It is to be closed.
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

// Check returns nil while the path names the folder: one stat. The error is
// [ErrReplaced] where it names another one, else [ErrGone] with the cause.
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

// Close lets go of the folder.
func (f *Folder) Close() error { return f.handle.Close() }
