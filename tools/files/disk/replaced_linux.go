package disk

import (
	"bytes"
	"log/slog"
	"time"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// A program that looked up the old file before the exchange, but opens it only
// after the edit, would write into a file without a name. The lease is
// therefore kept for a while: it blocks such a program, and what it then writes
// is put in place as the later write.
const (
	lingerTime  = time.Second
	lingerPause = 10 * time.Millisecond
	writerTime  = 10 * time.Second
)

// watchReplaced watches a file that no longer has a name. It takes ownership of
// file. current is the version of what we put in its place; "": another
// program's content is there.
func (p *Project) watchReplaced(name string, file *leasedFile, current string) {
	if file == nil {
		return
	}
	select {
	case p.replacedWatchers <- struct{}{}:
	default:
		file.release()
		return
	}
	p.watchers.Go(func() {
		defer func() { <-p.replacedWatchers }()
		defer file.release()
		for start := time.Now(); file.unbroken(); {
			if time.Since(start) > lingerTime || p.wait(lingerPause) {
				return
			}
		}
		p.rescue(name, file, current)
	})
}

// rescue lets a program write into the file without a name for as long as it
// has it open, and then writes its content to the path that the program meant.
func (p *Project) rescue(name string, file *leasedFile, current string) {
	_, _ = unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_UNLCK) // the lease is already broken
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

// awaitWriter waits until no program has the file open for writing. It returns
// true if one still does after a time-out.
func (p *Project) awaitWriter(file *leasedFile) bool {
	for start := time.Now(); time.Since(start) < writerTime; {
		if _, err := unix.FcntlInt(uintptr(file.fd), unix.F_SETLEASE, unix.F_RDLCK); err == nil {
			return false
		}
		if p.wait(lingerPause) {
			return false // the project is closing; later writes are lost
		}
	}
	return true
}

// putBack writes what another program wrote over the current content, if that
// is ours; otherwise, since a third program has written the file meanwhile, it
// writes a copy beside it. Nothing that another program wrote is lost.
func (p *Project) putBack(name string, content []byte, current string) (kept []string, err error) {
	dir, base, err := p.openFolder(name, false)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	now, err := dir.read(base, name)
	if err == nil && now.Whole && containsLines(content, now.Content) {
		return nil, nil // the file already has it
	}
	v := ""
	if err == nil && now.Whole {
		v = version.Of(now.Content)
	}
	if v != "" && (v == current || v == p.written[name] || containsLines(now.Content, content)) {
		if _, err = dir.replace(base, now, content); err == nil {
			return nil, nil
		}
	}
	return p.keepBeside(name, content)
}
