package clients

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A place is where a file really lies: a folder that is opened, and a name
// below it that no link leads out of.
type place struct {
	dir, name string
	root      *os.Root // nil once closed
}

// locate follows symbolic links. A project's must stay in the project, since a
// clone of a stranger's repository may have any; a user's own lead where the
// user keeps the file.
func (t *Target) locate() (place, error) {
	real, err := resolve(t.Path)
	if err != nil {
		return place{}, t.plain(err)
	}
	p := place{dir: t.root}
	if t.root == "" {
		for p.dir = filepath.Dir(real); !isFolder(p.dir) && p.dir != filepath.Dir(p.dir); {
			p.dir = filepath.Dir(p.dir)
		}
	}
	if p.name, err = filepath.Rel(p.dir, real); err != nil || !filepath.IsLocal(p.name) {
		return place{}, t.leadsOut(real)
	}
	if p.root, err = os.OpenRoot(p.dir); err != nil {
		return place{}, t.plain(err)
	}
	return p, nil
}

// resolve follows the links of a path whose last parts need not be there.
func resolve(path string) (string, error) {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if info, e := os.Lstat(at); e == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is a symbolic link to what is not there", at)
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// leadsOut names the link that leads out of the project.
func (t *Target) leadsOut(real string) error {
	at, link := t.root, t.Shown
	for part := range strings.SplitSeq(t.Shown, "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			link = strings.TrimPrefix(at, t.root+string(filepath.Separator))
			break
		}
	}
	return &FileError{File: link, Cause: fmt.Errorf("is a symbolic link that leads out of the project, to %s", real),
		Advice: "berth writes a project's files in the project only; leave " + t.Client.Name + " out with --client, or register it for yourself with berth init --user"}
}

// plain puts the system's errors in plain words.
func (t *Target) plain(err error) error {
	said := &FileError{File: t.Shown, Cause: err}
	switch folder := filepath.ToSlash(filepath.Dir(t.Shown)); {
	case errors.Is(err, syscall.ENOTDIR):
		said.Cause = fmt.Errorf("%s is a file and no folder", folder)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		cause := "permission denied"
		if errors.Is(err, syscall.EROFS) {
			cause = "read-only file system"
		}
		if folder == "." {
			folder = "the project"
		}
		said.Cause = fmt.Errorf("%s cannot be written (%s)", folder, cause)
		said.Advice = "make it writable, or leave " + t.Client.Name + " out with --client"
	}
	return said
}

// path is the file's real path.
func (p place) path() string { return filepath.Join(p.dir, p.name) }

func (p place) close() { _ = p.root.Close() } // it was only read

// closed is the place without its open folder.
func (p place) closed() place { return place{dir: p.dir, name: p.name} }

// read returns the text, nil if there is no file.
func (p place) read() ([]byte, fs.FileMode, error) {
	info, err := p.root.Stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0o644, nil
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, errors.New("is not a regular file")
	case info.Size() > maxBytes:
		return nil, 0, fmt.Errorf("is larger than %d bytes", maxBytes)
	}
	file, err := p.root.Open(p.name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}

// makeFolders makes the folders of the file, and returns those that were not
// there, the outermost first.
func (p place) makeFolders() (made []string, err error) {
	at := ""
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(p.name)), "/") {
		at = filepath.Join(at, part)
		switch err := p.root.Mkdir(at, 0o755); {
		case err == nil:
			made = append(made, filepath.Join(p.dir, at))
		case !errors.Is(err, fs.ErrExist):
			return made, err
		}
	}
	return made, nil
}

// stage writes a text beside the file, with its mode and owner.
func (p place) stage(text []byte, mode fs.FileMode) (name string, err error) {
	name = p.name + ".berth-" + rand.Text()[:8]
	file, err := p.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Chmod(mode) // whatever the umask says
	}
	if err == nil {
		err = keepOwner(p, file)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, p.root.Remove(name))
	}
	return name, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
