package session

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/designer"
)

// Options configures a [Manager]. The zero value is ready to use.
type Options struct {
	// Dialect returns a dialect by its name, so that a stored design can be
	// used before, or without, its database. If it is nil or returns nil, such
	// a design can be used once it has been shown.
	Dialect func(name string) *designer.Dialect
	// NewID returns ids for designs' objects. nil: random UUIDs.
	NewID func() designer.ID
	// NewBatch returns batch ids. nil: random UUIDs.
	NewBatch func() string
	// MaxSteps bounds the undo stack of each design. 0: 10,000.
	MaxSteps int
	// TeamChanged is called when a design joins or leaves a team, is no longer
	// editable because of it, or is again; see [Designer.Shared]. It is called
	// with a lock held: it must not wait, nor use the manager. nil: nobody
	// needs to know.
	TeamChanged func()
	Now         func() time.Time // nil: time.Now
	Logger      *slog.Logger     // nil: nothing is logged
}

func (o Options) withDefaults() Options {
	if o.Dialect == nil {
		o.Dialect = func(string) *designer.Dialect { return nil }
	}
	if o.NewBatch == nil {
		o.NewBatch = uuid.NewString
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = maxSteps
	}
	if o.TeamChanged == nil {
		o.TeamChanged = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Manager holds the designs of one project and knows which one is active. It is
// safe for concurrent use.
type Manager struct {
	store *Store
	opts  Options
	hub   *hub

	closed atomic.Bool

	// mu is held for a moment only: never while a designer's or the store's
	// lock is taken.
	mu       sync.RWMutex
	designs  []*Designer // stored ones, in the order they were first shown
	unstored []*Designer // being shown for the first time
	active   *Designer   // nil: none was ever shown
}

// NewManager returns a Manager that owns the store: Close closes it. The stored
// designs are available at once, and the last active one is active again; their
// tables are read when first needed.
func NewManager(store *Store, opts Options) (*Manager, error) {
	m := &Manager{store: store, opts: opts.withDefaults()}
	err := store.read(background, func(r reader) error {
		m.hub = newHub(store.seq)
		rows, err := r.designs()
		if err != nil {
			return err
		}
		active, err := r.active()
		if err != nil {
			return err
		}
		shared, err := r.sharings(store.path, m.opts.Now())
		if err != nil {
			return err
		}
		for _, row := range rows {
			d := &Designer{m: m, id: row.connectionID, row: row, shared: shared[row.id], looks: make(chan struct{}, 1)}
			m.designs = append(m.designs, d)
			if row.id == active {
				m.active = d
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("restore designs: %w", err)
	}
	return m, nil
}

// Close ends every subscription and closes the store: what was acknowledged
// is in state.db and another process may open it. Operations that have not
// committed by then, and all later ones, fail with [ErrClosed].
func (m *Manager) Close() error {
	m.closed.Store(true)
	for _, d := range m.all() {
		d.Disconnect()
	}
	m.hub.close()
	return m.store.Close()
}

// Store returns the store the manager was made with, for page keys.
func (m *Manager) Store() *Store { return m.store }

// Subscribe returns the events after the one numbered after, in order and
// without gaps. If some are no longer kept, or the subscriber falls behind by
// more than 256, a [Reset] replaces the missed ones. The channel is closed by
// the function returned, which may be called more than once, and by Close.
func (m *Manager) Subscribe(after uint64) (<-chan Event, func()) { return m.hub.subscribe(after) }

// Active returns the design shown last; false if none was ever shown.
func (m *Manager) Active() (*Designer, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.active, m.active != nil
}

// ByID returns the design of a connection; false if it was never shown.
func (m *Manager) ByID(connectionID string) (*Designer, bool) {
	return m.find(func(d *Designer) bool { return d.ID() == connectionID })
}

// ByName returns the design of the connection of this name, ignoring case. If
// several have had the name, it returns the active one or else the newest.
func (m *Manager) ByName(name string) (*Designer, bool) {
	same := func(d *Designer) bool { return strings.EqualFold(d.Name(), name) }
	if d, ok := m.Active(); ok && same(d) {
		return d, true
	}
	return m.find(same)
}

func (m *Manager) find(match func(d *Designer) bool) (*Designer, bool) {
	for _, d := range slices.Backward(m.all()) {
		if match(d) {
			return d, true
		}
	}
	return nil, false
}

// all returns the stored designs; the list is never modified.
func (m *Manager) all() []*Designer {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.designs
}

// List describes every design, in the order they were first shown.
func (m *Manager) List() []Info {
	active, _ := m.Active()
	list := []Info{}
	for _, d := range m.all() {
		info := d.Info()
		info.Active = d == active
		list = append(list, info)
	}
	return list
}

// Show opens the design of a source and makes it the active one, also after
// restarts. It reads the database, so that changes made elsewhere are noticed:
// a design without changes of its own follows the database, one with changes
// keeps them and is drifted (see [Designer.Refresh]). If the database cannot be
// read, a design that was opened before is shown as stored, and
// [Info.ReadError] says why; otherwise Show fails.
func (m *Manager) Show(ctx context.Context, src Source) (*Designer, error) {
	return m.show(ctx, src, true)
}

// Open opens the design of a source as Show does for a caller that only reads:
// a design that is active stays so, and only where none is this one becomes it.
func (m *Manager) Open(ctx context.Context, src Source) (*Designer, error) {
	_, active := m.Active()
	return m.show(ctx, src, !active)
}

func (m *Manager) show(ctx context.Context, src Source, activate bool) (*Designer, error) {
	def, seen, readErr := m.read(ctx, src)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.closed.Load() {
		return nil, ErrClosed
	}
	d, stored := m.ByID(src.ID())
	if readErr != nil && !stored {
		return nil, fmt.Errorf("read database of connection %q: %w", src.Name(), readErr)
	}
	if !stored {
		d = m.coming(src)
	}
	if err := d.show(ctx, src, def, readErr, activate); err != nil {
		return nil, fmt.Errorf("show design of connection %q: %w", src.Name(), err)
	}
	d.recordSight(seen)
	return d, nil
}

// coming returns the Designer of a connection that is being shown for the first
// time. All concurrent callers get the same one.
func (m *Manager) coming(src Source) *Designer {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range slices.Concat(m.designs, m.unstored) {
		if d.ID() == src.ID() {
			return d
		}
	}
	d := &Designer{m: m, id: src.ID(), row: designRow{connectionID: src.ID(), steps: noSteps}, looks: make(chan struct{}, 1)}
	m.unstored = append(m.unstored, d)
	return d
}

// activate makes d the active design, after the commit that showed it.
func (m *Manager) activate(d *Designer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active = d
	m.keepLocked(d)
}

// keep lists d, after the commit that stored it.
func (m *Manager) keep(d *Designer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keepLocked(d)
}

func (m *Manager) keepLocked(d *Designer) {
	if i := slices.Index(m.unstored, d); i >= 0 {
		m.unstored = slices.Delete(m.unstored, i, i+1)
		m.designs = append(slices.Clip(m.designs), d)
	}
}
