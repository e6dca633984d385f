package homefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// CheckDir returns an error if the folder at dir is not suited for private
// files: it belongs to another user, who could open it to others, is not a
// folder, or is a dangling link. A missing folder is fine. [Secure] checks
// modes.
func CheckDir(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return checkDangling(dir)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is %s and not a directory: move it away", dir, kindOrFile(info.Mode()))
	}
	return checkOwner(dir, info)
}

// Secure calls [CheckDir] and makes the folder private, if the system has such
// modes: it sets a folder that others may access to 0700 and reports that in
// note.
func Secure(dir string) (note string, err error) {
	if err := CheckDir(dir); err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return tighten(dir, info, 0o700)
}

// SecureFile is like [Secure] for a file with the user's settings. It refuses a
// file that others could write and leaves it unchanged, since they may have
// written its content.
func SecureFile(path string) (note string, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if err := checkRegular(path, info); err != nil {
		return "", err
	}
	if err := checkOwner(path, info); err != nil {
		return "", err
	}
	if err := checkUnwritten(path, info); err != nil {
		return "", err
	}
	return tighten(path, info, 0o600)
}

// checkDangling refuses a dangling link: it seems not to exist, but a directory
// cannot be created there.
func checkDangling(path string) error {
	to, err := os.Readlink(path)
	if err != nil {
		return nil // nothing there
	}
	return fmt.Errorf("%s is a link to %s, which does not exist: make that directory, or remove the link", path, to)
}

func kindOrFile(mode fs.FileMode) string {
	if mode.IsRegular() {
		return "a file"
	}
	return kind(mode)
}
