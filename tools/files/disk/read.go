package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/berth-dev/berth/tools/files/hardlink"
)

// MaxFile is the largest file that is read whole or written, in bytes.
const MaxFile = 32 << 20

// headBytes is how much of a larger file is read, to detect its type.
const headBytes = 8 << 10

// Snapshot is the state of a file when it was read.
type Snapshot struct {
	Path    string
	Content []byte // whole, or the head of a file larger than MaxFile
	Whole   bool
	Size    int64
	ModTime time.Time

	info  fs.FileInfo
	links uint64
}

// Read reads a regular file, again if it changed meanwhile. The path is a
// result of [ParsePath]. The error is an [*Error].
func (p *Project) Read(name string) (*Snapshot, error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	return dir.read(base, name)
}

func (f *folder) read(base, name string) (*Snapshot, error) {
	var s *Snapshot
	for range 3 {
		file, info, err := f.open(base, name)
		if err != nil {
			return nil, err
		}
		steady := false
		s, steady, err = readFile(file, info, name)
		_ = file.Close() // only read
		if err != nil {
			return nil, systemError("read "+name, err)
		}
		if steady {
			break
		}
	}
	return s, nil
}

// open opens a regular file, without blocking on a pipe or following a link.
func (f *folder) open(base, name string) (*os.File, fs.FileInfo, error) {
	for range tries {
		info, err := f.root.Lstat(base)
		if err != nil {
			return nil, nil, systemError("open "+name, err)
		}
		if err := regular(f, info, base, name); err != nil {
			return nil, nil, err
		}
		file, err := f.root.OpenFile(base, os.O_RDONLY|nonBlocking, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue // replaced meanwhile
		}
		if err != nil {
			return nil, nil, systemError("open "+name, err)
		}
		opened, err := file.Stat()
		if err == nil && os.SameFile(info, opened) && opened.Mode().IsRegular() {
			return file, opened, nil
		}
		_ = file.Close() // not the file of the Lstat
	}
	return nil, nil, refuse(Unavailable, "%s keeps changing; call again", name)
}

// regular refuses what is not a regular file.
func regular(f *folder, info fs.FileInfo, base, name string) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return linkRefused(f.root, base, name)
	case mode.IsDir():
		return refuse(NotFile, "%s is a folder; fs_list_entries lists what is in it", name)
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "not a regular file"
	}
	return refuse(NotFile, "%s is %s; only regular files are opened", name, kind)
}

// readFile reads an open file. steady reports whether it did not change
// meanwhile.
func readFile(file *os.File, info fs.FileInfo, name string) (s *Snapshot, steady bool, err error) {
	s = &Snapshot{Path: name, Whole: info.Size() <= MaxFile, Size: info.Size(), ModTime: info.ModTime(), info: info, links: hardlink.Count(file, info)}
	limit := int64(MaxFile)
	if !s.Whole {
		limit = headBytes
	}
	if s.Content, err = readUpTo(file, info.Size(), limit+1); err != nil {
		return nil, false, err
	}
	if int64(len(s.Content)) > limit {
		s.Content = s.Content[:limit]
		if s.Whole { // it grew
			s.Whole, s.Size = false, limit+1
		}
	}
	if s.Whole {
		s.Size = int64(len(s.Content))
	}
	after, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	return s, after.Size() == info.Size() && after.ModTime().Equal(info.ModTime()), nil
}

// readUpTo reads at most limit bytes; size is the expected number.
func readUpTo(file io.Reader, size, limit int64) ([]byte, error) {
	content := make([]byte, 0, min(size+1, limit))
	for int64(len(content)) < limit {
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		n, err := file.Read(content[len(content):min(int64(cap(content)), limit)])
		content = content[:len(content)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return content, nil
}

// Links returns the number of names the file has; 0: not known.
func (s *Snapshot) Links() uint64 { return s.links }

// Is reports whether info describes the same file.
func (s *Snapshot) Is(info fs.FileInfo) bool { return os.SameFile(s.info, info) }

// Stamp identifies a state of a file, with high probability.
type Stamp struct {
	Size    int64
	ModTime int64 // nanoseconds
}

// Stamp returns the stamp of the file as it was read.
func (s *Snapshot) Stamp() Stamp { return Stamp{s.Size, s.ModTime.UnixNano()} }

// Stamp returns the stamp of a file without opening it.
func (p *Project) Stamp(name string) (Stamp, error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return Stamp{}, err
	}
	defer dir.close()
	info, err := dir.root.Lstat(base)
	if err != nil {
		return Stamp{}, systemError("look at "+name, err)
	}
	return Stamp{info.Size(), info.ModTime().UnixNano()}, nil
}

// stampOf returns the stamp of a file of the folder; zero if there is none.
func (f *folder) stampOf(base string) Stamp {
	info, err := f.root.Lstat(base)
	if err != nil {
		return Stamp{}
	}
	return Stamp{info.Size(), info.ModTime().UnixNano()}
}

// Writable returns an error for files that are not replaced: too large,
// read-only, or with several names.
func (s *Snapshot) Writable() error {
	switch {
	case !s.Whole:
		return refuse(TooLarge, "%s has %d bytes; files over %d are not edited", s.Path, s.Size, MaxFile)
	case s.info.Mode().Perm()&0o200 == 0:
		return refuse(ReadOnly, "%s is read-only (mode %04o); have a person make it writable if it is to be changed", s.Path, s.info.Mode().Perm())
	case s.links > 1:
		return refuse(HardLinked, "%s has %d hard links, and replacing it would part it from the others; edit it with another program", s.Path, s.links)
	}
	return nil
}
