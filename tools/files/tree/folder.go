package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrTooBig: a file is larger than the caller asked for.
var ErrTooBig = errors.New("larger than asked for")

// ErrNotRegular: what stands at a path is no regular file (any more).
var ErrNotRegular = errors.New("not a regular file")

// Stat is what a listing says of a file.
type Stat struct {
	Size    int64     // bytes
	ModTime time.Time // of its content
}

// folder is an open directory. Names are single path elements; none is
// followed if it is a symbolic link. Several goroutines may use a folder, but
// only one its next.
type folder interface {
	// next reads up to n more entries, in no order; io.EOF after the last.
	next(n int) ([]fs.DirEntry, error)
	// open opens the folder of that name.
	open(name string) (folder, error)
	// read reads a regular file of at most limit bytes into buf, which grows
	// as needed, and returns the content: a part of buf, or of a larger one.
	// links is how many names the file has; 0: the system does not say.
	read(name string, buf []byte, limit int64) (content []byte, links uint64, err error)
	// stat tells of a file or link itself.
	stat(name string) (Stat, error)
	close() error
}

// rooted reaches everything through os.Root: it is what every platform can.
type rooted struct {
	root *os.Root
	list *os.File // root itself, for its entries
}

func openRooted(root *os.Root) (folder, error) {
	own, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return newRooted(own)
}

func newRooted(own *os.Root) (folder, error) {
	list, err := own.Open(".")
	if err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return &rooted{root: own, list: list}, nil
}

func (r *rooted) next(n int) ([]fs.DirEntry, error) { return r.list.ReadDir(n) }

func (r *rooted) open(name string) (folder, error) {
	// A link would lead to a folder below this one at most, and be found
	// there again: not an escape, but a detour.
	info, err := r.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("open folder %s: %w", name, fs.ErrNotExist)
	}
	own, err := r.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newRooted(own)
}

func (r *rooted) read(name string, buf []byte, limit int64) ([]byte, uint64, error) {
	// Opening a pipe or a device may wait or act; only a file is opened.
	info, err := r.root.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, ErrNotRegular
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, 0, err
	}
	buf, err = room(buf, info.Mode().IsRegular(), info.Size(), limit)
	if err != nil {
		return nil, 0, err
	}
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it became shorter
	}
	return buf[:n], 0, err
}

func (r *rooted) stat(name string) (Stat, error) {
	info, err := r.root.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return Stat{Size: info.Size(), ModTime: info.ModTime()}, nil
}

func (r *rooted) close() error { return errors.Join(r.list.Close(), r.root.Close()) }

// room makes buf as long as the file.
func room(buf []byte, regular bool, size, limit int64) ([]byte, error) {
	switch {
	case !regular:
		return nil, ErrNotRegular
	case size > limit:
		return nil, ErrTooBig
	case size <= int64(cap(buf)):
		return buf[:size], nil
	}
	return make([]byte, size, size+size/4), nil
}
