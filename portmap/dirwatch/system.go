package dirwatch

import "github.com/fsnotify/fsnotify"

// system is the operating system's reports of changes in directories. Both
// channels of reports have to be received from until they are closed.
type system interface {
	// Add watches a directory: what is directly in it, and itself. One that is
	// watched stays so, and one that was replaced is followed.
	Add(dir string) error
	// Remove ends the watch of a directory.
	Remove(dir string) error
	// WatchList returns the directories that are watched.
	WatchList() []string
	// Close ends all watches and has the channels closed.
	Close() error
	reports() (<-chan fsnotify.Event, <-chan error)
}
