package disk

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/berth-dev/berth/tools/files/version"
)

// Method says how a file was written, and so what is sure.
type Method string

// The methods.
const (
	// Exchange: the files were exchanged, what came out was compared, and
	// nobody had it open for writing. No write of another program is lost.
	Exchange Method = "exchange"
	// ExchangeNoLease is Exchange where the system does not tell whether
	// another program has the file open: one that writes after the comparison
	// writes into the void.
	ExchangeNoLease Method = "exchange_without_lease"
	// Rename: the file was compared and then replaced. Another program's file
	// that took its name in the moment between is lost; what a program wrote
	// into the file that was replaced is kept beside it.
	Rename Method = "compare_and_rename"
	// Create: the file is new, and there was none of its name.
	Create Method = "create"
)

// Replace puts new content in the place of a file that has not changed since
// it was read, durably, with its mode and owner. After an error the file is
// what it was, or what another program made of it meanwhile. The error is an
// [*Error]; Stale says that it changed.
func (p *Project) Replace(was *Snapshot, content []byte) (Method, error) {
	if err := was.Writable(); err != nil {
		return "", err
	}
	if len(content) > MaxFile {
		return "", refuse(TooLarge, "%s would have %d bytes; the most is %d", was.Path, len(content), MaxFile)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	dir, base, err := p.openFolder(was.Path, false)
	if err != nil {
		return "", err
	}
	defer dir.close()
	p.sweep(dir, time.Now())
	method, err := dir.replace(base, was, content)
	if err != nil {
		return "", failed("write "+was.Path, err)
	}
	dir.followed(was, content)
	p.remember(was.Path, content)
	return method, nil
}

// maxWritten is how many files' versions are remembered.
const maxWritten = 1024

func (p *Project) remember(name string, content []byte) {
	if len(p.written) >= maxWritten {
		clear(p.written)
	}
	p.written[name] = version.Of(content)
}

// unchanged reads a file again and refuses if it is not what it was.
func (f *folder) unchanged(base string, was *Snapshot) error {
	now, err := f.read(base, was.Path)
	if err != nil {
		return err
	}
	if !now.Whole || version.Of(now.Content) != version.Of(was.Content) {
		return staleError(was.Path)
	}
	return now.Writable()
}

func staleError(name string) *Error {
	return refuse(Stale, "%s was changed by another program meanwhile; read it again", name)
}

// sync makes a folder's names durable.
func (f *folder) sync() error {
	if runtime.GOOS == "windows" { // there a rename is as durable as it gets
		return nil
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Make creates a file and the folders that it lies in. It fails if there is
// anything of that name. The error is an [*Error].
func (p *Project) Make(name string, content []byte) (Method, error) {
	if len(content) > MaxFile {
		return "", refuse(TooLarge, "%s would have %d bytes; the most is %d", name, len(content), MaxFile)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	dir, base, err := p.openFolder(name, true)
	if err != nil {
		return "", err
	}
	defer dir.close()
	p.sweep(dir, time.Now())
	if err := dir.create(base, content); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return "", existsError(name)
		}
		return "", failed("create "+name, err)
	}
	p.remember(name, content)
	return Create, nil
}

func existsError(name string) *Error {
	return refuse(Exists, `%s exists; read it and edit it with its version ("none" is for a new file)`, name)
}

// Free refuses a name that something has already.
func (p *Project) Free(name string) error {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		if known := (*Error)(nil); errors.As(err, &known) && errors.Is(known.Err, fs.ErrNotExist) {
			return nil // the folder is missing too
		}
		return err
	}
	defer dir.close()
	_, err = dir.root.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return failed("look at "+name, err)
	}
	return existsError(name)
}

// create makes a whole file appear under a name that is free.
func (f *folder) create(base string, content []byte) error {
	name, err := f.draft(content, nil, nil)
	if err != nil {
		return err
	}
	defer func() { _ = f.root.Remove(name) }()
	if err := f.claim(name, base); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		return f.createInPlace(base, content)
	}
	return f.sync()
}

// claimByLink gives a file the name base if that is free.
func (f *folder) claimByLink(name, base string) error {
	if err := f.root.Link(name, base); err != nil {
		return err
	}
	if err := f.root.Remove(name); err != nil {
		return errors.Join(err, f.root.Remove(base))
	}
	return nil
}

// createInPlace is create on a file system that cannot claim a name for a
// file that is there already.
func (f *folder) createInPlace(base string, content []byte) error {
	file, err := f.root.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, f.root.Remove(base))
	}
	return f.sync()
}
