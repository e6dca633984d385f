package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
	"github.com/berth-dev/berth/tools/db/sqlitefiles"
	"github.com/berth-dev/berth/tools/lane"
)

// Config names one database.
type Config struct {
	Name    string       // what calls name it by, ignoring case; unique
	Dialect string       // "sqlite" (also ""), "postgres", "mysql" or "mssql"
	Path    string       // SQLite: the file, absolute or below the project's root
	Address dial.Address // the others
	Design  bool         // there is a design only, and no database: nothing is contacted
	Origin  string       // where it is known from, for people: a settings file, "found in the project"
	// Outside lets the file be outside of the project: for what the user's own
	// settings name, not for what came with a repository.
	Outside bool
	// Withheld says why the connection may not be used yet, and what a person
	// does about that: it is not contacted then. "": it may.
	Withheld    string
	ReadOnly    bool          // SQLite: the address says mode=ro, so nothing is ever written
	AllowWrites bool          // execute-sql needs no approval
	MaxRows     int           // rows of a reply; 0: the project's
	Timeout     time.Duration // of a statement; 0: the project's
	// Revision differs where the password does, which cannot be compared.
	Revision string
	// Rank orders the ways to know a connection: one that a call means without
	// naming it is the only one of the lowest rank there is. 0: the settings.
	Rank int
}

// Options are what a project's settings say of its connections. Zero values
// mean the defaults.
type Options struct {
	Connections []Config
	Default     string        // the connection that a call without one means; "": by rank
	Notes       []string      // what is left out of the connections and why, for people
	NoDiscovery bool          // do not look for SQLite files in the project
	Timeout     time.Duration // of a statement; 0: 30 s
	Logger      *slog.Logger  // nil: nothing is logged
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	return o
}

// Connections are the databases of one project. It is safe for concurrent
// use.
type Connections struct {
	root     string // absolute, symbolic links resolved
	opts     Options
	finder   *sqlitefiles.Finder
	turns    *rosqlite.Turns // of every SQLite file's queries
	workers  *lane.Workers   // of what is awaited
	closing  context.Context // is done when Close has begun
	end      context.CancelFunc
	inFlight sync.WaitGroup

	mu      sync.Mutex // guards opts.Connections, opts.Default and opts.Notes too
	closed  bool
	open    map[string]*Database // by what they reach, see pools.go
	retired []*retiredPool       // no longer asked for, about to be closed
}

// New returns the databases of the project at root, an absolute path. It
// opens none of them.
func New(root string, opts Options) (*Connections, error) {
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("project root %q is not absolute", root)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("resolve project root: %w", err)
	}
	opts = opts.withDefaults()
	closing, end := context.WithCancel(context.Background())
	c := &Connections{
		root: real, opts: opts, finder: sqlitefiles.New(real),
		workers: lane.NewWorkers(), closing: closing, end: end, open: map[string]*Database{}, turns: rosqlite.NewTurns(),
	}
	return c, nil
}

// closeWait is how long Close waits for statements to end. Those that do not
// look at their interruption by then are left behind; they hold memory only.
const closeWait = 2 * time.Second

// Root is the project's folder: absolute, symbolic links resolved.
func (c *Connections) Root() string { return c.root }

// Close ends running statements and closes every database.
func (c *Connections) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	c.end()
	var errs []error
	for _, d := range c.open {
		errs = append(errs, d.Close())
	}
	for _, r := range c.retired {
		r.timer.Stop()
		errs = append(errs, r.database.Close())
	}
	c.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		c.inFlight.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(closeWait):
		errs = append(errs, fmt.Errorf("a statement did not end within %v", closeWait))
	}
	return errors.Join(errs...)
}

// Timeout is how long a statement on a connection may take.
func (c *Connections) Timeout(cfg Config) time.Duration {
	if cfg.Timeout > 0 {
		return cfg.Timeout
	}
	return c.opts.Timeout
}
