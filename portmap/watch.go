package portmap

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/berth-dev/berth/portmap/dirwatch"
)

// pollAlone is the shortest [dirwatch.Pace] at which a watch polls the file
// where the system reports no changes or the directory is away.
const pollAlone = 200 * time.Millisecond

// Watch sends the whole map: first as it is now, then after each change, until
// ctx is done; then it closes the channel. A slow receiver misses states in
// between but always gets the latest. If the map cannot be read at first, Watch
// returns the error of [Store.Entries]; if that happens later, it logs a
// warning and the last good map remains valid.
func (s *Store) Watch(ctx context.Context) (<-chan map[string]int, error) {
	w := &watch{store: s, out: make(chan map[string]int), pace: dirwatch.Pace{Shortest: pollAlone}}
	w.follow() // before the first read, so that no change is missed
	w.seen = stat(s.path)
	first, err := s.Entries()
	if err != nil {
		w.close()
		return nil, err
	}
	go w.run(ctx, first)
	return w.out, nil
}

// watch is one running Watch; run owns all of it.
type watch struct {
	store  *Store
	out    chan map[string]int
	events *dirwatch.Watcher // nil: this system reports no changes
	pace   dirwatch.Pace     // of polls
	away   bool              // the directory is another one or none, and events reports nothing
	seen   fs.FileInfo       // the file when it was last read; nil: there was none
}

// follow subscribes to changes of the directory, not of the file: a rename
// replaces the file, and a subscription would stay with the old file.
func (w *watch) follow() {
	dir := w.store.dir()
	err := os.MkdirAll(dir, 0o700) // before the first claim there is none
	if err == nil {
		w.events, err = w.subscribe(dir)
	}
	if err != nil {
		w.store.opts.Logger.Debug("no reports of changes, looking at the port map instead",
			"every", dirwatch.Longest, "cause", err)
	}
}

func (w *watch) subscribe(dir string) (*dirwatch.Watcher, error) {
	watcher, err := w.store.newWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	if err := watcher.Add(dir); err != nil {
		watcher.Close()
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	return watcher, nil
}

// run sends until ctx is done. send is nil while the receiver has the latest
// map; pending is a copy for the receiver.
func (w *watch) run(ctx context.Context, latest map[string]int) {
	defer close(w.out)
	defer w.close()
	next := time.NewTimer(w.pace.Next(w.reported(), true))
	defer next.Stop()
	reports, failures := w.channels()
	pending, send := maps.Clone(latest), w.out
	for {
		changed := false
		select {
		case <-ctx.Done():
			return
		case send <- pending:
			send = nil
		case event, ok := <-reports:
			switch {
			case !ok:
			case event.Name == w.store.dir(): // it was removed or renamed
				w.away = true
				next.Reset(w.pace.Next(w.reported(), true))
			default:
				changed = filepath.Base(event.Name) == filepath.Base(w.store.path)
			}
		case <-failures: // reports were lost: read
			changed = true
		case <-next.C:
			if w.away && w.events.Add(w.store.dir()) == nil {
				w.away = false
			}
			changed = differ(w.seen, stat(w.store.path))
			next.Reset(w.pace.Next(w.reported(), changed))
		}
		if !changed {
			continue
		}
		if entries, ok := w.read(); ok && !maps.Equal(entries, latest) {
			latest, pending, send = entries, maps.Clone(entries), w.out
		}
	}
}

// reported reports whether the system says what changes now.
func (w *watch) reported() bool { return w.events != nil && !w.away }

// channels returns nil channels, which are never ready, if the system does not
// report changes.
func (w *watch) channels() (<-chan fsnotify.Event, <-chan error) {
	if w.events == nil {
		return nil, nil
	}
	return w.events.Events, w.events.Errors
}

func (w *watch) close() {
	if w.events != nil {
		w.events.Close()
	}
}

// read reads the map again. It records the FileInfo from before reading, so
// that a change during reading is noticed at the next poll.
func (w *watch) read() (map[string]int, bool) {
	w.seen = stat(w.store.path)
	entries, err := w.store.Entries()
	if err != nil {
		w.store.opts.Logger.Warn("port map cannot be read, keeping what it said before", "cause", err)
		return nil, false
	}
	return entries, true
}
