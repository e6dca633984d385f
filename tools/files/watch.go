package files

import (
	"context"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/berth-dev/berth/portmap/dirwatch"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/version"
)

// Limits of watching. Watching only informs the page early; nothing depends on
// it.
const (
	maxFollowed = 256
	settleTime  = 100 * time.Millisecond // from a report to a check
	lookAlone   = 2 * time.Second        // the shortest [dirwatch.Pace] of polls
	maxNotices  = 20                     // per check; the others follow with the next
)

// watch reports when a file is no longer the version that the agent knows.
type watch struct {
	project  *disk.Project
	announce func(any)
	events   *dirwatch.Watcher // nil: this system reports no changes
	changed  chan struct{}     // a check is due that no report asked for
	running  sync.WaitGroup
	end      context.CancelFunc

	mu       sync.Mutex
	files    map[string]*knownFile // by path
	folders  map[string]int        // files followed in each
	sequence int
}

// knownFile is a file that the agent knows.
type knownFile struct {
	version     string
	used        int  // grows with every call
	writing     int  // our edits in progress
	checkMarked bool // it may have changed
	stamp       disk.Stamp
}

func newWatch(project *disk.Project, announce func(any)) *watch {
	ctx, end := context.WithCancel(context.Background())
	w := &watch{project: project, announce: announce, end: end, changed: make(chan struct{}, 1),
		files: map[string]*knownFile{}, folders: map[string]int{}}
	if events, err := dirwatch.New(); err == nil {
		w.events = events
	}
	w.running.Go(func() { w.run(ctx) })
	return w
}

func (w *watch) close() {
	w.end()
	w.running.Wait()
	if w.events != nil {
		w.events.Close()
	}
}

// follow records the version of a file that was shown to the agent, and the
// stamp it had then. If it has another by now, the file is checked: changes
// before this call are not reported.
func (w *watch) follow(name, named string, stamp disk.Stamp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.files[name]
	if f == nil {
		w.forgetLocked()
		f = &knownFile{}
		w.files[name] = f
		w.enterLocked(path.Dir(name))
	}
	w.sequence++
	f.version, f.used = named, w.sequence
	f.stamp, _ = w.project.Stamp(name) // a file that is gone has none
	if f.stamp != stamp {
		w.checkLocked(f)
	}
}

// checkLocked has a file checked, although no change of it was reported.
func (w *watch) checkLocked(f *knownFile) {
	f.checkMarked = true
	select {
	case w.changed <- struct{}{}:
	default: // a check is due already
	}
}

// hold prevents checks of a file while it is written, until release is called.
func (w *watch) hold(name string) (release func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.files[name]
	if f == nil {
		return func() {}
	}
	f.writing++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		f.writing--
	}
}

// forgetLocked evicts a file if there are too many.
func (w *watch) forgetLocked() {
	if len(w.files) < maxFollowed {
		return
	}
	oldest := ""
	for name, f := range w.files {
		if oldest == "" || f.used < w.files[oldest].used {
			oldest = name
		}
	}
	delete(w.files, oldest)
	folder := path.Dir(oldest)
	if w.folders[folder]--; w.folders[folder] == 0 {
		delete(w.folders, folder)
		if w.events != nil {
			w.events.Remove(w.onDisk(folder))
		}
	}
}

// enterLocked subscribes to changes of a folder. If that fails, for example
// because there are too many watches, polling detects changes.
func (w *watch) enterLocked(folder string) {
	w.folders[folder]++
	if w.events != nil && w.folders[folder] == 1 {
		_ = w.events.Add(w.onDisk(folder))
	}
}

func (w *watch) onDisk(name string) string {
	return filepath.Join(w.project.Path(), filepath.FromSlash(name))
}

func (w *watch) run(ctx context.Context) {
	var reports <-chan fsnotify.Event
	var failures <-chan error
	if w.events != nil {
		reports, failures = w.events.Events, w.events.Errors
	}
	pace := dirwatch.Pace{Shortest: lookAlone}
	next := time.NewTimer(pace.Next(w.events != nil, true))
	defer next.Stop()
	var settled <-chan time.Time // nil: no check is due
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-reports:
			if !ok {
				reports = nil
			}
			if w.reported(event.Name) && settled == nil {
				settled = time.After(settleTime)
			}
		case <-w.changed:
			if settled == nil {
				settled = time.After(settleTime)
			}
		case _, ok := <-failures: // reports were lost
			if !ok {
				failures = nil
			}
			w.compareStamps()
			settled = time.After(settleTime)
		case <-next.C:
			changed := w.compareStamps()
			if changed && settled == nil {
				settled = time.After(settleTime)
			}
			next.Reset(pace.Next(w.events != nil, changed))
		case <-settled:
			settled = nil
			if w.checkMarked() {
				settled = time.After(settleTime)
			}
		}
	}
}

// reported marks a file for which the system reported a change.
func (w *watch) reported(name string) bool {
	relative, err := filepath.Rel(w.project.Path(), name)
	if err != nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.files[filepath.ToSlash(relative)]
	if f == nil {
		return false
	}
	f.checkMarked = true
	return true
}

// compareStamps marks files whose time or size changed, and reports whether there
// are any.
func (w *watch) compareStamps() (changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, f := range w.files {
		if stamp, err := w.project.Stamp(name); err != nil || stamp != f.stamp {
			f.checkMarked, f.stamp, changed = true, stamp, true
		}
	}
	return changed
}

// checkMarked compares the marked files with the versions that the agent knows
// and announces those that differ. more reports whether some are left.
func (w *watch) checkMarked() (more bool) {
	w.mu.Lock()
	marked := map[string]string{}
	for name, f := range w.files {
		switch {
		case !f.checkMarked || f.version == "":
		case f.writing > 0 || len(marked) == maxNotices:
			more = true
		default:
			f.checkMarked = false
			marked[name] = f.version
		}
	}
	w.mu.Unlock()
	for name, known := range marked {
		if s, err := w.project.Read(name); err == nil && s.Whole && version.Of(s.Content) == known {
			continue
		}
		if w.outdated(name, known) {
			w.announce(StaleNotice{Type: "file_stale", Path: name})
		}
	}
	return more
}

// outdated records that the agent knows an old version, so that it is announced
// once. It returns false if the agent has been shown another version since or
// an edit is in progress.
func (w *watch) outdated(name, known string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.files[name]
	switch {
	case f == nil:
		return false
	case f.writing > 0, f.version != known: // of that version nothing is known yet
		w.checkLocked(f)
		return false
	}
	f.version = "" // announced; not again until the agent reads it
	return true
}
