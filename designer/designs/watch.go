package designs

import (
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/berth-dev/berth/portmap/dirwatch"
)

// watch reports changes in the folder of the files and its parents, which may
// not exist yet.
type watch struct {
	folders []string          // absolute: the root first
	events  *dirwatch.Watcher // nil: this system reports no changes
	pace    dirwatch.Pace     // of polls
}

func newWatch(root string) *watch {
	w := &watch{folders: []string{root,
		filepath.Join(root, ".berth"), filepath.Join(root, filepath.FromSlash(folder))},
		pace: dirwatch.Pace{Shortest: lookAlone}}
	if events, err := dirwatch.New(); err == nil {
		w.events = events
	}
	w.follow()
	return w
}

// follow subscribes to the folders that exist.
func (w *watch) follow() {
	if w.events == nil {
		return
	}
	subscribed := map[string]bool{}
	for _, path := range w.events.Watched() { // a folder that was removed is there no more
		subscribed[path] = true
	}
	for _, folder := range w.folders {
		if !subscribed[folder] {
			_ = w.events.Add(folder) // it may not be there yet
		}
	}
}

func (w *watch) reports() <-chan fsnotify.Event {
	if w.events == nil {
		return nil
	}
	return w.events.Events
}

func (w *watch) failures() <-chan error {
	if w.events == nil {
		return nil
	}
	return w.events.Errors
}

// matters reports whether a change is one of a design's file or of a parent
// folder.
func (w *watch) matters(e fsnotify.Event) bool {
	dir, name := filepath.Split(e.Name)
	switch filepath.Clean(dir) {
	case w.folders[0]:
		return name == ".berth"
	case w.folders[1]:
		return name == "designs"
	}
	return strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".")
}

func (w *watch) close() {
	if w.events != nil {
		w.events.Close()
	}
}
