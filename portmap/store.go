package portmap

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The ports berth claims from: [FirstPort] is the documents', [LastPort] the
// highest there is.
const (
	FirstPort = 50001
	LastPort  = 65535
)

// Options change what a Store does by default. Nil and zero values are good.
type Options struct {
	LockTimeout     time.Duration // wait for a lock while nobody writes; 0: 2 s
	LockRetry       time.Duration // between two tries to lock; 0: 5 ms
	FirstPort       int           // the first port to claim; 0: 50001
	LastPort        int           // the last port to claim; 0: 65535
	MaxReservations int           // remembered projects; 0: 1,000
	Logger          *slog.Logger  // nil: nothing is logged
	Now             func() time.Time
}

func (o *Options) withDefaults() Options {
	var set Options
	if o != nil {
		set = *o
	}
	defaultTo(&set.LockTimeout, 2*time.Second)
	defaultTo(&set.LockRetry, 5*time.Millisecond)
	defaultTo(&set.FirstPort, FirstPort)
	defaultTo(&set.LastPort, LastPort)
	defaultTo(&set.MaxReservations, 1000)
	if set.Logger == nil {
		set.Logger = slog.New(slog.DiscardHandler)
	}
	if set.Now == nil {
		set.Now = time.Now
	}
	return set
}

func defaultTo[T comparable](value *T, standard T) {
	var zero T
	if *value == zero {
		*value = standard
	}
}

// Store is a port map on disk with its reservations. Any number of Stores, in
// any number of processes, may work on one map; a Store is safe for use by
// several goroutines.
type Store struct {
	path       string // the map file
	opts       Options
	newWatcher func() (*fsnotify.Watcher, error) // replaced where there is nothing to watch with
}

// NewStore returns the store of a map file. It touches no disk: file and
// directory are made by the first claim.
func NewStore(mapFile string, opts *Options) *Store {
	return &Store{
		path:       filepath.Clean(mapFile),
		opts:       opts.withDefaults(),
		newWatcher: fsnotify.NewWatcher,
	}
}

// Path is the map file.
func (s *Store) Path() string { return s.path }

func (s *Store) dir() string { return filepath.Dir(s.path) }

func (s *Store) reservationsPath() string { return filepath.Join(s.dir(), "reservations.json") }

// Lookup returns the port the map gives to a canonical root, and whether it
// gives one. It takes no lock. A map that does not exist is an empty one. For
// one that breaks off before the root's entry the error wraps [ErrBroken].
func (s *Store) Lookup(root string) (port int, ok bool, err error) {
	c, err := s.read()
	port, ok = lookup(c.byRoot, root)
	if ok {
		return port, true, nil
	}
	return 0, false, err
}

// Entries returns the whole map, empty where there is none yet. The caller
// owns it. Members that are no entry are left out; for a map that cannot be
// read to its end the error wraps [ErrBroken].
func (s *Store) Entries() (map[string]int, error) {
	c, err := s.read()
	if err != nil {
		return nil, err
	}
	return c.byRoot, nil
}

// Odd returns the names of the members that are no entry, sorted: somebody
// else wrote them, and they stay.
func (s *Store) Odd() ([]string, error) {
	c, err := s.read()
	return slices.Sorted(maps.Keys(c.odd)), err
}

// read reads the map without the lock. With an error that wraps [ErrBroken]
// comes what was understood.
func (s *Store) read() (content[int], error) {
	data, err := readFile(s.path)
	if err != nil {
		return content[int]{}, fmt.Errorf("read port map: %w", err)
	}
	if data == nil {
		return content[int]{byRoot: map[string]int{}}, nil
	}
	c, err := entryForm.read(data)
	if err != nil {
		return c, fmt.Errorf("read port map %s: %w", s.path, err)
	}
	return c, nil
}

// Release takes a project's entry out of the map and reports whether it did:
// only an entry that still names this port is taken out, so an instance that
// was replaced cannot remove its successor. The reservation keeps the port for
// the project's next start.
//
// Call it before the listener is closed. While the port is bound nobody else
// can have claimed it; afterwards a new instance of the same project may have,
// and this call would take that one's entry.
func (s *Store) Release(ctx context.Context, root string, port int) (bool, error) {
	released := false
	err := s.update(ctx, func(l *ledger) error {
		if entry, ok := lookup(l.entries, root); !ok || entry != port {
			return nil
		}
		removeRoot(l.entries, root)
		l.reserve(root, port, s.opts.Now(), s.opts.MaxReservations)
		released = true
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("release port %d of %s: %w", port, root, err)
	}
	return released, nil
}

// lookup finds a root's entry: spelled exactly so, else, where paths ignore
// case, the first that differs in case alone.
func lookup[V any](byRoot map[string]V, root string) (V, bool) {
	if value, ok := byRoot[root]; ok || !foldsCase {
		return value, ok
	}
	folded := foldRoot(root)
	same := make([]string, 0, 1)
	for other := range byRoot {
		if foldRoot(other) == folded {
			same = append(same, other)
		}
	}
	if len(same) == 0 {
		var none V
		return none, false
	}
	return byRoot[slices.Min(same)], true
}

// removeRoot removes every spelling of a root.
func removeRoot[V any](byRoot map[string]V, root string) {
	folded := foldRoot(root)
	for other := range byRoot {
		if foldRoot(other) == folded {
			delete(byRoot, other)
		}
	}
}
