package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// folder is an open folder of the project. It stays the same folder even if its
// path changes.
type folder struct {
	project *Project
	root    *os.Root
	owned   bool // to be closed
	path    string
}

func (f *folder) close() {
	if f.owned {
		_ = f.root.Close() // only a handle
	}
}

// openFolder opens the folder that contains a path and returns the path's last
// part. It goes from handle to handle and follows no link: it calls Lstat for
// each part, opens it and checks that both are the same file. With make, it
// creates missing folders.
func (p *Project) openFolder(name string, make bool) (*folder, string, error) {
	dir, base := path.Split(name)
	f := &folder{project: p, root: p.root, path: strings.TrimSuffix(dir, "/")}
	if dir == "" {
		return f, base, nil
	}
	done := ""
	for part := range strings.SplitSeq(f.path, "/") {
		done = path.Join(done, part)
		next, err := step(f.root, part, done, make)
		f.close()
		if err != nil {
			return nil, "", err
		}
		f.root, f.owned = next, true
	}
	return f, base, nil
}

// tries is how often an operation is repeated if a file changes meanwhile.
const tries = 20

func step(at *os.Root, part, whole string, make bool) (*os.Root, error) {
	for range tries {
		info, err := at.Lstat(part)
		if make && errors.Is(err, fs.ErrNotExist) {
			if err = at.Mkdir(part, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
				continue
			}
		}
		switch {
		case err != nil:
			return nil, systemError("open the folder "+whole, err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, linkRefused(at, part, whole)
		case !info.IsDir():
			return nil, refuse(NotFound, "%s is not a folder", whole)
		}
		next, err := at.OpenRoot(part)
		if err != nil {
			if errors.Is(err, fs.ErrPermission) {
				return nil, systemError("open the folder "+whole, err)
			}
			continue // replaced meanwhile
		}
		if opened, err := next.Stat("."); err == nil && os.SameFile(info, opened) {
			return next, nil
		}
		_ = next.Close() // only a handle
	}
	return nil, refuse(Unavailable, "the folder %s keeps changing; call again", whole)
}

// linkRefused returns the error for a symbolic link. It names the target if
// that is in the project.
func linkRefused(at *os.Root, part, whole string) *Error {
	target, err := at.Readlink(part)
	if err == nil && !path.IsAbs(target) && len(target) < 200 {
		if target = path.Join(path.Dir(whole), strings.ReplaceAll(target, `\`, "/")); !strings.HasPrefix(target, "..") {
			return refuse(NotFile, "%s is a symbolic link and is not followed; it leads to %s: name that", whole, target)
		}
	}
	return refuse(NotFile, "%s is a symbolic link and is not followed", whole)
}
