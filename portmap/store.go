package portmap

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/berth-dev/berth/portmap/dirwatch"
	"github.com/berth-dev/berth/portmap/homefile"
)

// The range of ports that berth claims from: [FirstPort] is given by the
// documents, [LastPort] is the highest port.
const (
	FirstPort = 50001
	LastPort  = 65535
)

// Options configures a [Store]. A nil *Options and zero fields mean the
// defaults.
type Options struct {
	LockTimeout     time.Duration // wait for a lock while nobody writes; 0: 2 s
	LockRetry       time.Duration // between two tries to lock; 0: 5 ms
	FirstPort       int           // the first port to claim; 0: 50001
	LastPort        int           // the last port to claim; 0: 65535
	MaxReservations int           // number of reservations kept; 0: 1,000
	Logger          *slog.Logger  // nil: nothing is logged
	Now             func() time.Time
}

func (o *Options) withDefaults() Options {
	var set Options
	if o != nil {
		set = *o
	}
	set.LockTimeout = cmp.Or(set.LockTimeout, 2*time.Second)
	set.LockRetry = cmp.Or(set.LockRetry, 5*time.Millisecond)
	set.FirstPort = cmp.Or(set.FirstPort, FirstPort)
	set.LastPort = cmp.Or(set.LastPort, LastPort)
	set.MaxReservations = cmp.Or(set.MaxReservations, 1000)
	if set.Logger == nil {
		set.Logger = slog.New(slog.DiscardHandler)
	}
	if set.Now == nil {
		set.Now = time.Now
	}
	return set
}

// Store is a port map on disk with its reservations. Any number of Stores, in
// any number of processes, may use the same map. A Store is safe for concurrent
// use.
type Store struct {
	path       string // the map file
	opts       Options
	looked     homefile.Cache[content[int]]      // what Lookup has read
	newWatcher func() (*dirwatch.Watcher, error) // replaced where there is nothing to watch with
}

// NewStore returns the Store of a map file. It does no I/O: the first claim
// creates the file and its directory.
func NewStore(mapFile string, opts *Options) *Store {
	return &Store{
		path:       filepath.Clean(mapFile),
		opts:       opts.withDefaults(),
		newWatcher: dirwatch.New,
	}
}

// Path returns the path of the map file.
func (s *Store) Path() string { return s.path }

func (s *Store) dir() string { return filepath.Dir(s.path) }

func (s *Store) reservationsPath() string { return filepath.Join(s.dir(), "reservations.json") }

// Lookup returns the port of a canonical root and whether the map has one. It
// takes no lock, and reads the file only if it has changed. A map that does not
// exist is empty. If the map is broken before the root's entry, the error wraps
// [ErrBroken].
func (s *Store) Lookup(root string) (port int, ok bool, err error) {
	c, err := s.looked.Read(s.path, func(string) (content[int], error) { return s.read() })
	port, ok = lookup(c.byRoot, root)
	if ok {
		return port, true, nil
	}
	return 0, false, err
}

// Entries returns the whole map, which is empty if there is no file yet. The
// caller owns it. Members that are not entries are left out. If the map cannot
// be parsed to its end, the error wraps [ErrBroken].
func (s *Store) Entries() (map[string]int, error) {
	c, err := s.read()
	if err != nil {
		return nil, err
	}
	return c.byRoot, nil
}

// OtherMembers returns the sorted names of the members that are not entries. Other
// programs or people wrote them, and they are kept.
func (s *Store) OtherMembers() ([]string, error) {
	c, err := s.read()
	return slices.Sorted(maps.Keys(c.other)), err
}

// read reads the map without the lock. If the error wraps [ErrBroken], the
// content has the members that could be parsed.
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

// Release removes a project's entry from the map and reports whether it did. It
// only removes an entry that still names this port, so an instance that was
// replaced cannot remove its successor's entry. The reservation keeps the port
// for the project's next start.
//
// Call it before closing the listener. While the port is bound nobody else can
// have claimed it; afterwards a new instance of the same project may have, and
// this call would remove that instance's entry.
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

// lookup returns a root's entry: the one with exactly this spelling or, where
// paths ignore case, the first that differs only in case.
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
