// Package dirwatch reports changes in directories. All Watchers of a process
// share one subscription to the system: Linux allows a user some 128 of them
// (fs.inotify.max_user_instances), for all programs, and a developer has many
// projects open.
//
// Start at [New]. Where it returns an error, look at the files instead, at the
// times that [Pace] says.
package dirwatch

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// buffered is how many reports wait for a receiver. Those beyond it are lost,
// which Errors says.
const buffered = 256

// Watcher is one part's share of the process's subscription. It is safe for
// concurrent use.
type Watcher struct {
	// Events has the changes in the directories of this Watcher, and those of a
	// directory itself under its own name, spelled as Add was given them. It is
	// closed by Close.
	Events chan fsnotify.Event
	// Errors has a value when reports may have been lost: look at the files. It
	// is closed by Close.
	Errors chan error

	hub *hub
	// dirs has the names that Add was given, by the directory that the system
	// reports of. nil: closed. hub.mu guards it.
	dirs map[string][]string
}

// New returns a Watcher of no directories. An error means that the system
// reports no changes to this process.
func New() (*Watcher, error) { return process.open() }

// Add watches a directory: what is directly in it, and itself. Adding it again is
// how to follow one that was removed, renamed or replaced.
func (w *Watcher) Add(dir string) error { return w.hub.add(w, filepath.Clean(dir)) }

// Remove ends the watch of a directory, if there is one.
func (w *Watcher) Remove(dir string) { w.hub.remove(w, filepath.Clean(dir)) }

// Watched returns the directories that are watched, as Add was given them. One that
// was removed or renamed is no longer among them.
func (w *Watcher) Watched() []string { return w.hub.watched(w) }

// Close ends the watch and closes the channels.
func (w *Watcher) Close() { w.hub.leave(w) }

// process is the hub of this process.
var process = hub{start: newSystem}

// hub joins the Watchers of a process.
type hub struct {
	start func() (system, error)

	// changing is held while the subscription changes. It is not mu: on Windows a
	// change waits until the reports before it were received.
	changing sync.Mutex
	system   system // nil: nobody watches

	mu       sync.Mutex // guards watchers and what they have; held for moments
	watchers []*Watcher
}

func (h *hub) open() (*Watcher, error) {
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.system == nil {
		system, err := h.start()
		if err != nil {
			return nil, err
		}
		h.system = system
		go h.pass(system.reports())
	}
	w := &Watcher{hub: h, Events: make(chan fsnotify.Event, buffered), Errors: make(chan error, 1), dirs: map[string][]string{}}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers = append(h.watchers, w)
	return w, nil
}

func (h *hub) leave(w *Watcher) {
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	dirs := w.dirs
	if dirs == nil { // closed before
		h.mu.Unlock()
		return
	}
	w.dirs = nil
	h.watchers = slices.DeleteFunc(h.watchers, func(other *Watcher) bool { return other == w })
	last := len(h.watchers) == 0
	close(w.Events)
	close(w.Errors)
	h.mu.Unlock()
	if last {
		_ = h.system.Close() // no longer used
		h.system = nil
		return
	}
	for dir := range dirs {
		h.drop(dir)
	}
}

func (h *hub) add(w *Watcher, name string) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	// One name for each directory: the system has one watch of it, however it is spelled.
	dir, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	h.mu.Lock()
	if w.dirs == nil {
		h.mu.Unlock()
		return fsnotify.ErrClosed
	}
	left := w.forget(name, dir)
	if names := w.dirs[dir]; !slices.Contains(names, name) {
		w.dirs[dir] = append(names, name)
	}
	h.mu.Unlock()
	if left != "" { // the name was a link to another one
		h.drop(left)
	}
	if err := h.system.Add(dir); err != nil {
		h.mu.Lock()
		w.forget(name, "")
		h.mu.Unlock()
		return err
	}
	return nil
}

func (h *hub) remove(w *Watcher, name string) {
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	left := w.forget(name, "")
	h.mu.Unlock()
	if left != "" {
		h.drop(left)
	}
}

// forget takes a name out of all directories but one and returns the directory
// that has no name any more, or "". The caller holds mu.
func (w *Watcher) forget(name, but string) (left string) {
	for dir, names := range w.dirs {
		if dir == but || !slices.Contains(names, name) {
			continue
		}
		if len(names) == 1 {
			delete(w.dirs, dir)
			return dir
		}
		w.dirs[dir] = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	}
	return ""
}

// drop ends the system's watch of a directory that no Watcher has.
func (h *hub) drop(dir string) {
	h.mu.Lock()
	used := slices.ContainsFunc(h.watchers, func(w *Watcher) bool { return w.dirs[dir] != nil })
	h.mu.Unlock()
	if !used {
		_ = h.system.Remove(dir) // it may be gone already
	}
}

func (h *hub) watched(w *Watcher) (names []string) {
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.system == nil {
		return nil
	}
	now := h.system.WatchList()
	h.mu.Lock()
	defer h.mu.Unlock()
	for dir, spelled := range w.dirs {
		if slices.Contains(now, dir) {
			names = append(names, spelled...)
		}
	}
	return names
}

// pass gives the system's reports to the Watchers, until it is closed.
func (h *hub) pass(events <-chan fsnotify.Event, failures <-chan error) {
	for events != nil || failures != nil {
		select {
		case event, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			h.report(event)
		case err, ok := <-failures:
			if !ok {
				failures = nil
				continue
			}
			h.fail(err)
		}
	}
}

func (h *hub) report(event fsnotify.Event) {
	dir, base := filepath.Dir(event.Name), filepath.Base(event.Name)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.watchers {
		for _, name := range w.dirs[event.Name] {
			w.send(fsnotify.Event{Name: name, Op: event.Op})
		}
		for _, name := range w.dirs[dir] {
			w.send(fsnotify.Event{Name: filepath.Join(name, base), Op: event.Op})
		}
	}
}

func (h *hub) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.watchers {
		w.lost(err)
	}
}

// send gives a report without waiting: a Watcher that nobody receives from must
// not stop the others. The caller holds mu.
func (w *Watcher) send(event fsnotify.Event) {
	select {
	case w.Events <- event:
	default:
		w.lost(fsnotify.ErrEventOverflow)
	}
}

func (w *Watcher) lost(err error) {
	select {
	case w.Errors <- err:
	default: // it says so already
	}
}
