package discovery

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/berth-dev/berth/portmap/dirwatch"
)

// Waits of a watch: how long it waits for further changes after one, and the
// shortest [dirwatch.Pace] at which it looks at the files themselves, for a
// folder that came to be and for changes that were not reported.
const (
	settle    = 200 * time.Millisecond
	lookAlone = 2 * time.Second
)

// Watch calls changed, once after another, shortly after a file that may name
// a connection changed in one of the folders, which are absolute paths;
// folders that are not there yet may be among them. changed returns the
// folders to watch from then on. Watch returns when ctx ends.
func Watch(ctx context.Context, folders []string, changed func() []string) {
	w := &watch{watched: map[string]bool{}}
	if events, err := dirwatch.New(); err == nil {
		w.events = events
		defer events.Close()
	}
	w.follow(folders)
	w.seen = w.stamp()
	w.run(ctx, changed)
}

// watch is one running [Watch].
type watch struct {
	events  *dirwatch.Watcher // nil: this system reports no changes
	folders []string
	watched map[string]bool // folders that the system reports of
	seen    string
}

// follow subscribes to folders, not to files: editors replace files.
func (w *watch) follow(folders []string) {
	w.folders = folders
	if w.events == nil {
		return
	}
	for folder := range w.watched {
		if !slices.Contains(folders, folder) {
			w.events.Remove(folder)
			delete(w.watched, folder)
		}
	}
	for _, folder := range folders {
		if !w.watched[folder] && w.events.Add(folder) == nil {
			w.watched[folder] = true
		}
	}
}

func (w *watch) run(ctx context.Context, changed func() []string) {
	var reports <-chan fsnotify.Event
	var failures <-chan error
	if w.events != nil {
		reports, failures = w.events.Events, w.events.Errors
	}
	pace := dirwatch.Pace{Shortest: lookAlone}
	next := time.NewTimer(pace.Next(w.events != nil, true))
	defer next.Stop()
	var settled <-chan time.Time // nil: nothing has changed
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-reports:
			if ok && settled == nil && matters(event.Name) {
				settled = time.After(settle)
			}
		case <-failures: // reports were lost: look
			settled = time.After(settle)
		case <-next.C:
			w.follow(w.folders)
			differs := w.stamp() != w.seen
			if settled == nil && differs {
				settled = time.After(settle)
			}
			next.Reset(pace.Next(w.events != nil, differs))
		case <-settled:
			settled = nil
			before := w.stamp()
			w.follow(changed())
			// In a folder that is watched only now, nobody reports what changed meanwhile.
			if w.seen = w.stamp(); w.seen != before {
				settled = time.After(settle)
			}
		}
	}
}

// stamp tells files and folders that matter apart from how they were before.
func (w *watch) stamp() string {
	var b strings.Builder
	for _, folder := range w.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // not there yet
		}
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			if info, err := entry.Info(); err == nil && matters(name) {
				fmt.Fprintf(&b, "%s %s %d %d\n", name, info.Mode()&fs.ModeType, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return b.String()
}

// matters reports whether a change of a file may change what is known of
// connections: one that a reader or the settings read, or a folder in which
// such files lie.
func matters(name string) bool {
	name = filepath.ToSlash(name)
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch base {
	case ".berth", "config.yaml", "workspace.yaml", ".devdbrc", "package.json", "mix.exs", "flyway.user.toml":
		return true
	}
	if slices.Contains(usualFolders(), base) {
		return true
	}
	if strings.HasSuffix(name, ".trust") { // what the user trusts of these files
		return true
	}
	return slices.ContainsFunc(readers(), func(r reader) bool { return r.matches(name) })
}
