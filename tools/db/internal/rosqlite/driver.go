package rosqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"time"
)

// Options says how connections are opened.
type Options struct {
	// BusyTimeout is how long SQLite waits for another program's lock.
	// 0: 2 s.
	BusyTimeout time.Duration
	// MaxLength bounds every string and blob in bytes, also those that an
	// expression makes on the way. 0: 4 MiB. It bounds too how long a single
	// step can go on that does not look at interrupts: instr() of two strings
	// that nearly match takes 80 s at 4 MiB, and 16 times that at 16 MiB.
	MaxLength int
	// Turns bounds how many long statements compute at once, among all
	// connections that have the same. nil: no bound.
	Turns *Turns
}

func (o Options) withDefaults() Options {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 2 * time.Second
	}
	if o.MaxLength <= 0 {
		o.MaxLength = 4 << 20
	}
	return o
}

// Connector opens connections to one file; hand it to [sql.OpenDB]. It is
// safe for concurrent use.
type Connector struct {
	path string
	opts Options

	mu   sync.Mutex
	seen stamp // the file when its header was last read
	wal  bool  // what the header said
}

var _ driver.Connector = (*Connector)(nil)

// NewConnector returns a connector for the file at path, which must be
// absolute and free of symbolic links. It does no I/O.
func NewConnector(path string, opts Options) *Connector {
	return &Connector{path: path, opts: opts.withDefaults()}
}

// Connect opens the file and reads from it once, so that a file that is
// missing, locked or no database is an error here. Such an error is an
// [*Error].
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	access, err := c.access()
	if err != nil {
		return nil, err
	}
	return open(access, c.opts)
}

// Driver returns a driver that cannot open anything: connections come from a
// Connector.
func (c *Connector) Driver() driver.Driver { return noDriver{} }

type noDriver struct{}

func (noDriver) Open(string) (driver.Conn, error) {
	return nil, errors.New("rosqlite opens files through its connector only")
}
