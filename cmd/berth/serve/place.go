package serve

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/portmap/dirwatch"
)

// Waits of a watch of the place: for further changes after one, since programs
// that replace a file make several; and for a folder that is away.
const (
	placeSettle = 50 * time.Millisecond
	placeAway   = time.Second
)

// placeWatch reports changes of what makes up an instance's place: the port
// map, the instance file and the project's folder itself.
type placeWatch struct {
	events  *dirwatch.Watcher // nil: this system reports no changes
	folders []string
	names   map[string]bool // absolute paths that matter
	changed chan struct{}
	done    chan struct{}
}

// watchPlace starts a watch of the run's place, on a port of its own.
func (r run) watchPlace(port int) *placeWatch {
	files := []string{r.Store.Path(), r.Home.InstanceFile(port)}
	w := &placeWatch{names: map[string]bool{r.Root: true}, folders: []string{r.Root},
		changed: make(chan struct{}), done: make(chan struct{})}
	for _, file := range files {
		w.names[file], w.names[filepath.Dir(file)] = true, true
		w.folders = append(w.folders, filepath.Dir(file))
	}
	if err := w.start(); err != nil {
		r.Logger.Warn("the system reports no changes of files to this instance; they are seen within the given time", "time", dirwatch.Longest.String(), "cause", err)
	}
	return w
}

func (w *placeWatch) start() error {
	events, err := dirwatch.New()
	if err != nil {
		return err
	}
	err = os.MkdirAll(w.folders[len(w.folders)-1], 0o700) // the home's first instance finds none
	for _, folder := range w.folders {
		err = errors.Join(err, events.Add(folder))
	}
	if err != nil {
		events.Close()
		return err
	}
	w.events = events
	go w.run()
	return nil
}

// changes returns the channel on which changes are reported; nil: none are.
func (w *placeWatch) changes() <-chan struct{} {
	if w.events == nil {
		return nil
	}
	return w.changed
}

// run reports until the watcher is closed.
func (w *placeWatch) run() {
	defer close(w.done)
	var settled <-chan time.Time // nil: nothing has changed
	var report chan struct{}     // nil: nothing to report
	for {
		select {
		case event, ok := <-w.events.Events:
			if !ok {
				return
			}
			if w.names[event.Name] {
				settled = time.After(placeSettle) // from the last change on: a file is not looked at while it is written
			}
		case _, ok := <-w.events.Errors: // reports were lost
			if !ok {
				return
			}
			settled = time.After(placeSettle)
		case <-settled:
			settled, report = nil, w.changed
			if !w.follow() {
				settled = time.After(placeAway)
			}
		case report <- struct{}{}:
			report = nil
		}
	}
}

// follow subscribes to folders that replaced others, and reports whether all
// are there. The project's own is not among them: another one ends the run.
func (w *placeWatch) follow() bool {
	all := true
	for _, folder := range w.folders[1:] {
		all = w.events.Add(folder) == nil && all
	}
	return all
}

func (w *placeWatch) stop() {
	if w.events == nil {
		return
	}
	w.events.Close()
	<-w.done
}
