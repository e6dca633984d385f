package disk

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/berth-dev/berth/tools/files/version"
)

// Method is how a file was written, which determines the guarantees.
type Method string

// The methods.
const (
	// Exchange means that the files were exchanged atomically, the old one was
	// compared, and no program had it open for writing. No write of another
	// program is lost.
	Exchange Method = "exchange"
	// ExchangeNoLease is Exchange on a system that does not report whether
	// another program has the file open: what such a program writes after the
	// comparison is lost.
	ExchangeNoLease Method = "exchange_without_lease"
	// Rename means that the file was compared and then replaced. If another
	// program replaced the file between the two, its file is lost; what a
	// program wrote into the replaced file is kept beside it, except where the
	// system does not replace a file that is open (FAT and shares on Windows).
	Rename Method = "compare_and_rename"
	// Create means that the file is new and there was none of that name.
	Create Method = "create"
)

// Replace durably replaces the content of a file that has not changed since it
// was read, and keeps its mode and owner. After an error the file has its old
// content or what another program wrote meanwhile. The error is an [*Error],
// with reason Stale if the file changed.
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
		return "", systemError("write "+was.Path, err)
	}
	dir.updateGuarded(was, content)
	p.remember(was.Path, content)
	return method, nil
}

// maxWritten bounds the number of files in written.
const maxWritten = 1024

func (p *Project) remember(name string, content []byte) {
	if len(p.written) >= maxWritten {
		clear(p.written)
	}
	p.written[name] = version.Of(content)
}

// unchanged reads a file again and returns an error if it changed.
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
	if runtime.GOOS == "windows" { // a rename cannot be made more durable there
		return nil
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Make creates a file and its missing parent folders. It fails if the name
// exists. The error is an [*Error].
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
		return "", systemError("create "+name, err)
	}
	p.remember(name, content)
	return Create, nil
}

func existsError(name string) *Error {
	return refuse(Exists, `%s exists; read it and edit it with its version ("none" is for a new file)`, name)
}

// Free returns an error if the name exists.
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
		return systemError("look at "+name, err)
	}
	return existsError(name)
}

// create atomically creates a file with its whole content under an unused name.
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

// claimByLink gives a file the name base if that is unused.
func (f *folder) claimByLink(name, base string) error {
	if err := f.root.Link(name, base); err != nil {
		return err
	}
	if err := f.root.Remove(name); err != nil {
		return errors.Join(err, f.root.Remove(base))
	}
	return nil
}

// createInPlace is like create, for a file system on which an existing file
// cannot atomically get an unused name.
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
