package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// Config names one database.
type Config struct {
	Name   string // what calls name it by, ignoring case; unique
	Path   string // the file, absolute or below the project's root
	Origin string // where it is known from, for people: a settings file, "found in the project"
	// Outside lets the file be outside of the project: for what the user's own
	// settings name, not for what came with a repository.
	Outside     bool
	AllowWrites bool          // for tools that write; nothing here does
	MaxRows     int           // rows of a reply; 0: the project's
	Timeout     time.Duration // of a statement; 0: the project's
}

// Options are a project's settings. Zero values mean the defaults.
type Options struct {
	Connections []Config
	Default     string        // the connection that a call without one means; "": the only one
	NoDiscovery bool          // do not look for SQLite files in the project
	MaxRows     int           // rows of a reply; 0: 200
	MaxBytes    int           // bytes of a reply's first item; 0: 64 KiB
	MaxFile     int64         // bytes of a result file; 0: 256 MiB
	Timeout     time.Duration // of a statement; 0: 30 s
	// DesignerOpen tells whether a design is open, to which a refused change
	// of the schema can be pointed. nil: none is.
	DesignerOpen func() bool
}

func (o Options) withDefaults() Options {
	if o.MaxRows <= 0 {
		o.MaxRows = 200
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 10
	}
	if o.MaxFile <= 0 {
		o.MaxFile = 256 << 20
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.DesignerOpen == nil {
		o.DesignerOpen = func() bool { return false }
	}
	return o
}

// Connections are the databases of one project. It is safe for concurrent
// use.
type Connections struct {
	root     string // absolute, symbolic links resolved
	opts     Options
	finder   *finder
	closing  chan struct{}
	inFlight sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[string]database // by path
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
	c := &Connections{
		root: real, opts: opts.withDefaults(), finder: newFinder(real),
		closing: make(chan struct{}), open: map[string]database{},
	}
	return c, nil
}

// errClosed says that the project is being shut down.
var errClosed = errors.New("the project is closing")

// closeWait is how long Close waits for statements to end. Those that do not
// look at their interruption by then are left behind; they hold memory only.
const closeWait = 2 * time.Second

// Close ends running statements and closes every database.
func (c *Connections) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	close(c.closing)
	var errs []error
	for _, d := range c.open {
		errs = append(errs, d.close())
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

// database returns the opened database of a connection. Opening is lazy: the
// file itself is touched when it is first read.
func (c *Connections) database(cfg Config) (database, error) {
	path, err := c.resolve(cfg)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	d := c.open[path]
	if d == nil {
		d = openSQLite(path)
		c.open[path] = d
	}
	return d, nil
}

// known lists the project's connections: those of the settings first, then
// the SQLite files found that no setting names.
func (c *Connections) known(ctx context.Context) []Config {
	list := append([]Config{}, c.opts.Connections...)
	if c.opts.NoDiscovery {
		return list
	}
	named := map[string]bool{}
	names := map[string]bool{}
	for _, cfg := range list {
		names[cfg.Name] = true
		if path, err := c.resolve(cfg); err == nil {
			named[path] = true
		}
	}
	for _, rel := range c.finder.find(ctx) {
		path := filepath.Join(c.root, filepath.FromSlash(rel))
		if !named[path] && !names[rel] {
			list = append(list, Config{Name: rel, Path: path, Origin: "found in the project"})
		}
	}
	return list
}
