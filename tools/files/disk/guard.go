package disk

import (
	"bytes"
	"errors"
	"log/slog"
	"path"
	"time"
)

// A program may have read an edit just before it was undone, and may later
// write the file based on it. What other programs wrote and the edit displaced
// is therefore guarded for a while: if it disappears from the file, a copy is
// kept beside the file.
const (
	guardTime  = 10 * time.Second
	guardPause = 50 * time.Millisecond
	steadyTime = 200 * time.Millisecond // a program writing in place may not have finished
)

// guardedFile holds the contents guarded for one file.
type guardedFile struct {
	name     string
	contents [][]byte
	until    time.Time
	stamp    Stamp     // of the file at the last check
	since    time.Time // since when the stamp is the same; zero: not checked yet
	judged   bool      // the contents were compared at this stamp
}

// guard keeps a copy of those contents that are not in the file now, returns
// the names of the copies, and guards the rest. The caller holds the project's
// writing lock.
func (f *folder) guard(base, name string, contents [][]byte) (kept []string, err error) {
	if len(contents) == 0 {
		return nil, nil
	}
	now, err := f.read(base, name)
	if err != nil {
		now = &Snapshot{} // gone or not a regular file: it has none of them
	}
	missing, rest := partition(contents, now)
	kept, err = f.keepAll(missing)
	if len(rest) > 0 {
		f.project.watchGuarded(&guardedFile{name: name, contents: rest, until: time.Now().Add(guardTime)})
	}
	return kept, err
}

// partition divides the contents into those that the file lacks and the rest.
// It drops a content whose lines are all in another one.
func partition(contents [][]byte, now *Snapshot) (missing, rest [][]byte) {
	for i, c := range contents {
		switch {
		case now.Whole && containsLines(c, now.Content):
			rest = append(rest, c)
		case !standsInAny(c, missing) && !standsInAny(c, contents[i+1:]):
			missing = append(missing, c)
		}
	}
	return missing, rest
}

func standsInAny(part []byte, contents [][]byte) bool {
	for _, c := range contents {
		if containsLines(part, c) {
			return true
		}
	}
	return false
}

// containsLines reports whether whole contains all lines of part in order. The
// last line of part, if it has no line break, may be a prefix.
func containsLines(part, whole []byte) bool {
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

// keepAll writes contents to files with visible names. Only the user may read
// them, since the original file may have been private.
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

// watchGuarded starts guarding g.
func (p *Project) watchGuarded(g *guardedFile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guards = append(p.guards, g)
	if len(p.guards) > 1 {
		return // the watcher is running
	}
	p.watchers.Go(func() {
		for ended := false; !ended; {
			ended = p.wait(guardPause)
			p.writing.Lock()
			left := p.examineAll(time.Now(), ended)
			p.writing.Unlock()
			ended = ended || left == 0
		}
	})
}

// wait waits for length and reports whether the project was closed.
func (p *Project) wait(length time.Duration) (closed bool) {
	select {
	case <-p.closing:
		return true
	case <-time.After(length):
		return false
	}
}

// examineAll examines every guarded file and returns how many remain. ended
// means that this is the last time. The caller holds the project's writing
// lock.
func (p *Project) examineAll(now time.Time, ended bool) (left int) {
	p.mu.Lock()
	list := p.guards
	p.mu.Unlock()
	done := map[*guardedFile]bool{}
	for _, g := range list {
		done[g] = p.examine(g, now, ended)
	}
	return p.unguard(func(g *guardedFile) bool { return done[g] })
}

// unguard removes the guarded files that are done and returns how many remain.
func (p *Project) unguard(done func(*guardedFile) bool) (left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []*guardedFile
	for _, g := range p.guards {
		if !done(g) {
			rest = append(rest, g)
		}
	}
	p.guards = rest
	return len(rest)
}

// examine keeps a copy of contents that disappeared from a file, and reports
// whether there is nothing left to guard.
func (p *Project) examine(g *guardedFile, now time.Time, ended bool) (done bool) {
	dir, base, err := p.openFolder(g.name, false)
	if err != nil {
		return ended || !now.Before(g.until) // otherwise its folder may come back
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

// keepMissing keeps copies of the guarded contents that a file lacks, and
// reports whether none is left.
func (f *folder) keepMissing(g *guardedFile, now *Snapshot) (done bool) {
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

// updateGuarded updates the guarded contents after an edit of our own: it keeps
// copies of what the file lacked when it was read for the edit, and stops
// guarding lines that the edit removed. The caller holds the project's writing
// lock.
func (f *folder) updateGuarded(was *Snapshot, content []byte) {
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
	p.unguard(func(g *guardedFile) bool { return len(g.contents) == 0 })
}

// retained returns those lines of part that are in whole.
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
