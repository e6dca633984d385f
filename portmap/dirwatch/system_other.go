//go:build !windows

package dirwatch

import "github.com/fsnotify/fsnotify"

type notifier struct{ *fsnotify.Watcher }

func newSystem() (system, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return notifier{watcher}, nil
}

func (n notifier) reports() (<-chan fsnotify.Event, <-chan error) { return n.Events, n.Errors }
