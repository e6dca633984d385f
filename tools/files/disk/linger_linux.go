package disk

import (
	"bytes"
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

// linger watches over a file that has no name any more. It takes the file
// over. current is the version of what stands in its place.
func (p *Project) linger(name string, file *grasped, current string) {
	if file == nil {
		return
	}
	select {
	case p.lingering <- struct{}{}:
	default:
		file.release()
		return
	}
	p.watchers.Go(func() {
		defer func() { <-p.lingering }()
		defer file.release()
		for start := time.Now(); file.unbroken(); {
			if time.Since(start) > lingerTime || p.pause() {
				return
			}
		}
		p.rescue(name, file, current)
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
func (p *Project) rescue(name string, file *grasped, current string) {
	_, _ = unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_UNLCK) // it is broken already
	for start := time.Now(); time.Since(start) < writerTime; time.Sleep(lingerPause) {
		if _, err := unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_RDLCK); err == nil {
			break // nobody writes any more
		}
	}
	content, err := file.read()
	if err != nil || bytes.Equal(content, file.content) {
		return
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	kept, err := p.putBack(name, content, current)
	if err != nil || kept != "" {
		slog.Warn("another program wrote a file in the moment of an edit", "file", name, "kept", kept, "error", err)
	}
}

// putBack writes what another program wrote over what has stood in its place
// since, or over our own later edits; beside the file if somebody else has
// written that meanwhile.
func (p *Project) putBack(name string, content []byte, current string) (kept string, err error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return "", err
	}
	defer dir.close()
	now, err := dir.read(base, name)
	if err != nil {
		return "", err
	}
	if v := version.Of(now.Content); now.Whole && (v == current || v == p.written[name]) {
		_, err = dir.replace(base, now, content)
		return "", err
	}
	draft, err := dir.draft(content, now.info, nil)
	if err != nil {
		return "", err
	}
	return path.Join(dir.path, dir.keep(draft)), nil
}
