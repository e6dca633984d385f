package disk

import (
	"bytes"
	"log/slog"
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
// over. current is the version of what we put in its place; "": another
// program's work is there.
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
			if time.Since(start) > lingerTime || p.wait(lingerPause) {
				return
			}
		}
		p.rescue(name, file, current)
	})
}

// rescue lets a program write into the file without a name, for as long as it
// has it open, and gives what it wrote to the file that it meant.
func (p *Project) rescue(name string, file *grasped, current string) {
	_, _ = unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_UNLCK) // it is broken already
	for writing := true; writing; {
		writing = p.awaitWriter(file)
		content, err := file.read()
		if err != nil || bytes.Equal(content, file.content) {
			continue
		}
		p.writing.Lock()
		kept, err := p.putBack(name, content, current)
		p.writing.Unlock()
		if err != nil || kept != nil {
			slog.Warn("another program wrote a file in the moment of an edit", "file", name, "kept", kept, "error", err)
		}
		file.content, current = content, version.Of(content)
	}
}

// awaitWriter waits until nobody has a file open for writing, and reports
// whether somebody still has after a while.
func (p *Project) awaitWriter(file *grasped) bool {
	for start := time.Now(); time.Since(start) < writerTime; {
		if _, err := unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_RDLCK); err == nil {
			return false
		}
		if p.wait(lingerPause) {
			return false // we end; what it writes from now on is its own
		}
	}
	return true
}

// putBack writes what another program wrote over what has stood in its place
// since, or over our own later edits; beside the file if somebody else has
// written that meanwhile. Nothing that another program wrote is dropped.
func (p *Project) putBack(name string, content []byte, current string) (kept []string, err error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	now, err := dir.read(base, name)
	if err == nil && now.Whole && standsIn(content, now.Content) {
		return nil, nil // it has found its way
	}
	v := ""
	if err == nil && now.Whole {
		v = version.Of(now.Content)
	}
	if v != "" && (v == current || v == p.written[name] || standsIn(now.Content, content)) {
		if _, err = dir.replace(base, now, content); err == nil {
			return nil, nil
		}
	}
	return p.keepBeside(name, content)
}
