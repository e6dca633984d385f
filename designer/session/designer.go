package session

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/designer"
)

// Source is the part of a database connection that a design needs.
type Source interface {
	ID() string   // durable: identifies the design
	Name() string // as in the project's config
	Dialect() *designer.Dialect
	Target() designer.Target
	// DefaultSchema is what an empty schema name means; "": the dialect's
	// first common schema.
	DefaultSchema() string
	// Read inspects the database. It is called without any lock held.
	Read(ctx context.Context) (designer.Definition, error)
}

// SyncState is the relation of a design to its database.
type SyncState string

// The states.
const (
	Synced   SyncState = "synced"   // the design is what the database was when last read
	Proposed SyncState = "proposed" // the design has changes of its own
	Drifted  SyncState = "drifted"  // the database has changed under a design with changes of its own
)

// Info describes a design without its tables.
type Info struct {
	ID        string
	Name      string
	Target    designer.Target
	Dialect   string
	Version   string
	Tables    int
	UndoSteps int
	RedoSteps int
	Sync      SyncState
	Active    bool
	// Interrupted reports that a publish was interrupted; publishing resumes
	// it.
	Interrupted bool
	ReadError   error // why the last show could not read the database; nil: it could, or it has been read since
	Team        *Team // nil: the design is not shared
}

// Designer is the canonical state of one connection's design: the model, its
// undo and redo stacks and what is known about the database. Every change to it
// is one run of the pipeline. It is safe for concurrent use. [Manager] creates
// it.
type Designer struct {
	m  *Manager
	id string

	looks      chan struct{} // held by the look in progress
	busy       atomic.Bool   // a publish is in progress or about to begin
	publishing sync.RWMutex  // held for writing while publishing, for reading while proposing

	mu      sync.RWMutex
	dialect *designer.Dialect // nil: not shown yet in this process
	plans   planner           // what can say whether a design can be published; nil: nothing yet
	base    *designer.Schema  // see origin; nil: not needed yet
	row     designRow         // as stored
	schema  *designer.Schema  // as stored; nil: not read yet
	readErr error
	sight   lookState
	pending *pendingPublish // nil: no publish is in progress or was interrupted
	making  bool            // this process is publishing the plan

	barriers    barriers     // where undo and redo stop; loaded with schema
	fileReverts []FileRevert // the newest ones, oldest first; loaded with schema
	shared      *sharing     // its part in a team; nil: none
	notesRead   atomic.Bool  // no note waits for an agent's call, as far as is known
}

// ID returns the connection's id.
func (d *Designer) ID() string { return d.id }

// Name returns the connection's name when it was last shown.
func (d *Designer) Name() string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.row.name
}

// Target returns the database the design belongs to.
func (d *Designer) Target() designer.Target {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.row.target
}

// Version returns the version token of the design.
func (d *Designer) Version() string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.row.version
}

// Info describes the design. Active is for [Manager.List] to say.
func (d *Designer) Info() Info {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.infoLocked()
}

func (d *Designer) infoLocked() Info {
	i := Info{
		ID: d.id, Name: d.row.name, Target: d.row.target, Dialect: d.row.dialect,
		Version: d.row.version, Tables: d.row.tables,
		UndoSteps: d.row.steps.done(), RedoSteps: d.row.steps.undone(),
		Sync: d.row.sync(), ReadError: d.readErr,
		Interrupted: d.pending != nil && !d.making,
	}
	if d.shared != nil {
		i.UndoSteps, i.RedoSteps = len(d.shared.undoable()), len(d.shared.redoable())
		i.Team = d.shared.info()
	}
	return i
}

func (row *designRow) sync() SyncState {
	switch {
	case row.seenVersion != row.baseVersion:
		return Drifted
	case row.version != row.baseVersion:
		return Proposed
	default:
		return Synced
	}
}

// View calls fn with the model as last committed. Nothing commits meanwhile, so
// fn must be quick and must not call d. It may keep tables but not the schema.
// If View returns an error, [ErrClosed] or the reason why the stored design
// cannot be read, it did not call fn.
func (d *Designer) View(fn func(s *designer.Schema)) error {
	if err := d.load(); err != nil {
		return err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	fn(d.schema)
	return nil
}

// Base returns the database as the design last adopted it, with the design's
// ids: the difference between the two is what the design proposes. The caller
// owns the schema.
func (d *Designer) Base(ctx context.Context) (*designer.Schema, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.m.closed.Load() {
		return nil, ErrClosed
	}
	var base *designer.Schema
	err := d.m.store.read(ctx, func(r reader) (err error) {
		base, err = d.restore(r, selectBaseTables)
		return err
	})
	return base, err
}

// Step describes one undo or redo step.
type Step struct {
	Number      int64     `json:"step"` // grows by one with each step of a design
	BatchID     string    `json:"batchId"`
	Origin      string    `json:"origin"`
	At          time.Time `json:"at"` // when the edit was made
	Description string    `json:"description"`
	Author      string    `json:"author,omitempty"` // who made it, in a team
	Client      string    `json:"client,omitempty"` // the program that asked for it, as it calls itself
}

// History returns up to limit undo and redo steps, in the order in which Undo
// and Redo would take them: in a team, those of the instance's own person.
func (d *Designer) History(ctx context.Context, limit int) (undo, redo []Step, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.m.closed.Load() {
		return nil, nil, ErrClosed
	}
	if d.shared != nil {
		return d.ownHistory(ctx, limit)
	}
	at, n := d.row.steps, int64(limit)
	err = d.m.store.read(ctx, func(r reader) error {
		rows, err := r.steps(d.row.id, max(at.first, at.top-n+1), min(at.last, at.top+n))
		for _, row := range rows {
			s := row.step()
			if row.seq <= at.top {
				undo = append([]Step{s}, undo...)
			} else {
				redo = append(redo, s)
			}
		}
		return err
	})
	return undo, redo, err
}

// load reads the design from the store unless it is already loaded.
func (d *Designer) load() error {
	d.mu.RLock()
	loaded := d.schema != nil
	d.mu.RUnlock()
	if loaded && !d.m.closed.Load() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.loadLocked()
}

func (d *Designer) loadLocked() error {
	if d.m.closed.Load() {
		return ErrClosed
	}
	if d.schema != nil {
		return nil
	}
	err := d.m.store.read(background, func(r reader) error {
		s, err := d.restore(r, selectTables)
		if err != nil {
			return err
		}
		if s.Version() != d.row.version {
			if err := d.rehash(r, s); err != nil {
				return err
			}
		}
		d.schema = s
		if d.fileReverts, err = r.fileReverts(d.row.id); err != nil {
			return err
		}
		if d.barriers, err = r.barriers(d.row.id); err != nil {
			return err
		}
		d.pending, err = r.pending(d.m.store.path, d.row.id)
		return err
	})
	if err != nil {
		return fmt.Errorf("restore design of connection %q: %w", d.row.name, err)
	}
	return nil
}

// rehash updates a design stored by a program that computed versions
// differently: the tokens are new, the relation of design and database is
// unchanged.
func (d *Designer) rehash(r reader, s *designer.Schema) error {
	base, err := d.restore(r, selectBaseTables)
	if err != nil {
		return err
	}
	d.m.opts.Logger.Warn("version of a stored design recomputed", "connection", d.id,
		"stored", d.row.version, "now", s.Version())
	drifted := d.row.sync() == Drifted
	d.row.version, d.row.baseVersion, d.row.seenVersion = s.Version(), base.Version(), base.Version()
	if drifted {
		d.row.seenVersion = ""
	}
	return nil
}
