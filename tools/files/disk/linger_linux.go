package disk

import (
	"log/slog"
	"path"
	"time"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// A program that found the old file before the exchange, and did not get to
// open it until the edit was over, would write into a file without a name. The
// lease is therefore kept for a while after: it holds such a program up, and
// what it then writes is put in place as the later write that it is.
const (
	lingerTime  = time.Second
	lingerPause = 10 * time.Millisecond
	writerTime  = 10 * time.Second
)

// linger watches over a file that was replaced and has no name any more. It
// takes the file over.
func (p *Project) linger(name string, old *grasped, before string) {
	select {
	case p.lingering <- struct{}{}:
	default:
		old.release()
		return
	}
	p.watchers.Go(func() {
		defer func() { <-p.lingering }()
		defer old.release()
		for start := time.Now(); old.unbroken(); {
			if time.Since(start) > lingerTime || p.pause() {
				return
			}
		}
		p.rescue(name, old, before)
	})
}

// pause waits a little and tells whether the project is closed.
func (p *Project) pause() bool {
	select {
	case <-p.closing:
		return true
	case <-time.After(lingerPause):
		return false
	}
}

// rescue lets a program write into the file without a name, and gives what it
// wrote to the file that it meant.
func (p *Project) rescue(name string, old *grasped, before string) {
	_, _ = unix.FcntlInt(uintptr(old.fd), unix.F_SETLEASE, unix.F_UNLCK) // it is broken already
	for start := time.Now(); time.Since(start) < writerTime; p.pause() {
		if _, err := unix.FcntlInt(uintptr(old.fd), unix.F_SETLEASE, unix.F_RDLCK); err == nil {
			break // nobody writes any more
		}
	}
	content, err := old.read()
	if err != nil || version.Of(content) == before {
		return
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	kept, err := p.putBack(name, content)
	if err != nil || kept != "" {
	slog.Warn("another program wrote a file in the moment of an edit", "file", name, "kept", kept, "error", err)
	}
}

// putBack writes what another program wrote over our own edits, or beside the
// file if somebody else has written that since.
func (p *Project) putBack(name string, content []byte) (kept string, err error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return "", err
	}
	defer dir.close()
	now, err := dir.read(base, name)
	if err != nil {
		return "", err
	}
	if now.Whole && version.Of(now.Content) == p.written[name] {
		_, err = dir.replace(base, now, content)
		return "", err
	}
	draft, err := dir.draft(content, now.info, nil)
	if err != nil {
		return "", err
	}
	return path.Join(dir.path, dir.keep(draft)), nil
}
