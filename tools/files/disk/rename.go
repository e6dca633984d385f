package disk

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path"
	"time"
)

// lateTime is how long a replaced file is watched for writes of a program that
// still has it open, and latePause how often it is checked.
const (
	lateTime  = time.Second
	latePause = 20 * time.Millisecond
)

// replaceByRename compares and renames, which works on every system. It keeps
// the replaced file open for a while, so that what a program still writes into
// it is not lost. A file that another program renames over it between the
// comparison and the rename is lost: that cannot be detected without an atomic
// exchange.
func (f *folder) replaceByRename(base string, was *Snapshot, content []byte) (Method, error) {
	old, _, err := f.open(base, was.Path)
	if err != nil {
		return "", err
	}
	name, err := f.draft(content, was.info, nil)
	if err != nil {
		return "", closed(old, err)
	}
	defer func() { _ = f.root.Remove(name) }() // gone after the rename
	if err := f.unchanged(base, was); err != nil {
		return "", closed(old, err)
	}
	if err := f.root.Rename(name, base); err != nil {
		// File systems of Windows other than NTFS, and Wine, replace no file
		// that is open; late writes are lost there.
		_ = old.Close() // only read
		if err := f.root.Rename(name, base); err != nil {
			return "", err
		}
		return Rename, f.sync()
	}
	if late := readLate(old); late != nil && !bytes.Equal(late, was.Content) {
		kept, err := f.keepAll([][]byte{late})
		if err != nil {
			return "", closed(old, err)
		}
		return "", closed(old, refuse(Stale, "another program wrote into %s in the moment of the edit; the edit is in the file, and what it wrote is kept beside it in %s", was.Path, kept[0]))
	}
	f.project.watchLate(was.Path, old, was.Content)
	return Rename, f.sync()
}

func closed(file *os.File, err error) error {
	_ = file.Close() // only read
	return err
}

// readLate reads an open file again. It returns nil if the file cannot be read
// or is too large.
func readLate(file *os.File) []byte {
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	content, err := readUpTo(io.NewSectionReader(file, 0, MaxFile+1), info.Size(), MaxFile+1)
	if err != nil || len(content) > MaxFile {
		return nil
	}
	return content
}

// watchLate takes ownership of a replaced file and keeps what a program still
// writes into it.
func (p *Project) watchLate(name string, file *os.File, was []byte) {
	select {
	case p.replacedWatchers <- struct{}{}:
	default:
		_ = file.Close() // only read
		return
	}
	p.watchers.Go(func() {
		defer func() { <-p.replacedWatchers }()
		defer file.Close()
		for start := time.Now(); time.Since(start) < lateTime && !p.wait(latePause); {
		}
		late := readLate(file)
		if late == nil || bytes.Equal(late, was) {
			return
		}
		p.writing.Lock() // so that a sweep does not remove the draft as a leftover
		kept, err := p.keepBeside(name, late)
		p.writing.Unlock()
		slog.Warn("another program wrote into a file that an edit had replaced; what it wrote is kept", "file", name, "kept", kept, "error", err)
	})
}

// keepBeside writes content to a file with a visible name beside another.
func (p *Project) keepBeside(name string, content []byte) (kept []string, err error) {
	dir, _, err := p.openFolder(name, false)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	kept, err = dir.keepAll([][]byte{content})
	for i, k := range kept {
		kept[i] = path.Join(dir.path, k)
	}
	return kept, err
}
