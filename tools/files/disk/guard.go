package disk

import (
	"bytes"
	"errors"
	"log/slog"
	"path"
	"time"
)

// A program may have read an edit in the moment before it was taken back, and
// may still write the file from that. What other programs wrote and the edit
// displaced is therefore guarded for a while: if the file comes to lack it, it
// is kept beside the file.
const (
	guardTime  = 10 * time.Second
	guardPause = 50 * time.Millisecond
	steadyTime = 200 * time.Millisecond // a program writing in place may be half done
)

// guarded is what is guarded for one file.
type guarded struct {
	name     string
	contents [][]byte
	until    time.Time
	stamp    Stamp     // of the file when it was looked at last
	since    time.Time // it has been like that; zero: it was not looked at
	judged   bool      // it was compared like that
}

// guard keeps what of the contents is not in the file now, returns the names
// it is kept under, and watches over the rest. The project's writing is held.
func (f *folder) guard(base, name string, contents [][]byte) (kept []string, err error) {
	if len(contents) == 0 {
		return nil, nil
	}
	now, err := f.read(base, name)
	if err != nil {
		now = &Snapshot{} // gone, or another kind of thing: it has none of them
	}
	missing, rest := partition(contents, now)
	kept, err = f.keepAll(missing)
	if len(rest) > 0 {
		f.project.watchOver(&guarded{name: name, contents: rest, until: time.Now().Add(guardTime)})
	}
	return kept, err
}

// partition parts the contents by whether the file lacks them. Of several
// versions of which one has the lines of another, one is enough.
func partition(contents [][]byte, now *Snapshot) (missing, rest [][]byte) {
	for i, c := range contents {
		switch {
		case now.Whole && standsIn(c, now.Content):
			rest = append(rest, c)
		case !standsInAny(c, missing) && !standsInAny(c, contents[i+1:]):
			missing = append(missing, c)
		}
	}
	return missing, rest
}

func standsInAny(part []byte, contents [][]byte) bool {
	for _, c := range contents {
		if standsIn(part, c) {
			return true
		}
	}
	return false
}

// standsIn reports whether the lines of part are all in whole, in their order.
// The last may be longer there if it had no end.
func standsIn(part, whole []byte) bool {
	for len(part) > 0 {
		line, rest, ended := bytes.Cut(part, []byte("\n"))
		for {
			if len(whole) == 0 {
				return false
			}
			other, after, _ := bytes.Cut(whole, []byte("\n"))
			whole = after
			if bytes.Equal(line, other) || !ended && bytes.HasPrefix(other, line) {
				break
			}
		}
		part = rest
	}
	return true
}

// keepAll writes contents under names that people see. Only the user may read
// them: the file that they are of may have been the user's alone.
func (f *folder) keepAll(contents [][]byte) (names []string, err error) {
	for _, c := range contents {
		draft, failed := f.draftAs(0o600, c, nil, nil)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		names = append(names, f.keep(draft))
	}
	return names, err
}

// watchOver guards contents from now on.
func (p *Project) watchOver(g *guarded) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guards = append(p.guards, g)
	if len(p.guards) > 1 {
		return // the watcher is there
	}
	p.watchers.Go(func() {
		for ended := false; !ended; {
			ended = p.wait(guardPause)
			p.writing.Lock()
			left := p.lookOver(time.Now(), ended)
			p.writing.Unlock()
			ended = ended || left == 0
		}
	})
}

// wait waits a little and reports whether the project is closed.
func (p *Project) wait(length time.Duration) (closed bool) {
	select {
	case <-p.closing:
		return true
	case <-time.After(length):
		return false
	}
}

// lookOver looks at every guarded file, and returns how many remain. ended: it
// is for the last time. The project's writing is held.
func (p *Project) lookOver(now time.Time, ended bool) (left int) {
	p.mu.Lock()
	list := p.guards
	p.mu.Unlock()
	done := map[*guarded]bool{}
	for _, g := range list {
		done[g] = p.examine(g, now, ended)
	}
	return p.unguard(func(g *guarded) bool { return done[g] })
}

// unguard forgets what is done and returns how many remain.
func (p *Project) unguard(done func(*guarded) bool) (left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []*guarded
	for _, g := range p.guards {
		if !done(g) {
			rest = append(rest, g)
		}
	}
	p.guards = rest
	return len(rest)
}

// examine keeps what a file has come to lack, and reports whether there is
// nothing left to guard.
func (p *Project) examine(g *guarded, now time.Time, ended bool) (done bool) {
	dir, base, err := p.openFolder(g.name, false)
	if err != nil {
		return ended || !now.Before(g.until) // else its folder may come back
	}
	defer dir.close()
	if stamp := dir.stampOf(base); stamp != g.stamp || g.since.IsZero() {
		g.stamp, g.since, g.judged = stamp, now, false
	}
	last := ended || !now.Before(g.until)
	if !last && (g.judged || now.Sub(g.since) < steadyTime) {
		return false
	}
	g.judged = true
	s, err := dir.read(base, g.name)
	if err != nil {
		s = &Snapshot{}
	}
	return dir.keepMissing(g, s) || last
}

// keepMissing keeps the guarded contents that a file lacks, and reports
// whether none is left.
func (f *folder) keepMissing(g *guarded, now *Snapshot) (done bool) {
	missing, rest := partition(g.contents, now)
	if len(missing) > 0 {
		kept, err := f.keepAll(missing)
		for i, name := range kept {
			kept[i] = path.Join(f.path, name)
		}
		slog.Warn("a program wrote a file from what an edit showed for a moment; what was written before is kept",
			"file", g.name, "kept", kept, "error", err)
	}
	g.contents = rest
	return len(rest) == 0
}

// followed has the guarded contents follow an edit of our own: what the file
// lacked when it was read for the edit is kept, and lines that the edit
// removed are guarded no longer. The project's writing is held.
func (f *folder) followed(was *Snapshot, content []byte) {
	p := f.project
	p.mu.Lock()
	list := p.guards
	p.mu.Unlock()
	for _, g := range list {
		if g.name != was.Path || f.keepMissing(g, was) {
			continue
		}
		for i, c := range g.contents {
			g.contents[i] = retained(c, content)
		}
		g.since = time.Time{}
	}
	p.unguard(func(g *guarded) bool { return len(g.contents) == 0 })
}

// retained is those lines of part that whole has.
func retained(part, whole []byte) []byte {
	lines := map[string]bool{}
	for line := range bytes.Lines(whole) {
		lines[string(line)] = true
	}
	var left []byte
	for line := range bytes.Lines(part) {
		if lines[string(line)] {
			left = append(left, line...)
		}
	}
	return left
}
