package homefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// CheckDir returns why the folder at dir cannot hold what is the user's alone:
// it is another user's, who may open it to others again, or no folder, or a
// link that leads nowhere. A folder that is missing is fine. Modes are the
// matter of [Secure].
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

// Secure is CheckDir, and sees to it that the folder is the user's alone, as
// far as the system has such modes: one that lets others in is tightened to
// 0700, which note says.
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

// SecureFile is [Secure] for a file with settings of the user's. One that
// others could write is refused and left as it is: what it says may be theirs.
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

// checkDangling refuses a link that leads nowhere, which looks like nothing
// and can still not be made.
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
