package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// ErrPlanChanged means that publishing would no longer do what was approved:
// the design or the database has changed since.
var ErrPlanChanged = errors.New("the design or the database has changed since the plan was made")

// ErrPublishing means that the design is being published now.
var ErrPublishing = errors.New("the design is being published")

// Proposal is what publishing a design would do. A person approves it by its
// Digest.
type Proposal struct {
	Version string // of the design
	Base    string // version of the database that it starts from
	Sync    SyncState
	Diff    *designer.Diff // what the plan does: all that differs but what is blocked
	Plan    designer.Plan
	// Blocked is what no plan can make: it stays a difference, and the rest
	// can be published without it.
	Blocked []designer.BlockedPart
	// From is the number of the plan's steps that an interrupted publish has
	// run.
	From      int
	Conflicts []merge.Conflict // of a drifted design: a person must choose; there is no plan then
	basis     basis
}

// Digest identifies exactly this plan from exactly this step on.
func (p *Proposal) Digest() string { return p.Plan.Digest() + strconv.Itoa(p.From) }

// Empty reports whether design and database agree.
func (p *Proposal) Empty() bool {
	return p.Diff.Empty() && len(p.Conflicts)+len(p.Blocked) == 0 && p.From == 0
}

// Items lists all that differs, what is blocked last.
func (p *Proposal) Items() []designer.DiffItem {
	items := p.Diff.Items()
	for _, b := range p.Blocked {
		items = append(items, b.Items...)
	}
	return items
}

// Lines is Items with what each was and becomes. What is blocked is named alone.
func (p *Proposal) Lines() []designer.DiffLine {
	lines := p.Diff.Lines()
	for _, b := range p.Blocked {
		for _, item := range b.Items {
			lines = append(lines, designer.DiffLine{DiffItem: item})
		}
	}
	return lines
}

// Notes are those of the plan, before them what it leaves out.
func (p *Proposal) Notes() []string {
	var notes []string
	for _, b := range p.Blocked {
		notes = append(notes, fmt.Sprintf("Not published: table %s.%s: %s.", b.Table.Schema, b.Table.Name, strings.TrimSuffix(b.Message, ".")))
	}
	return append(notes, p.Plan.Notes...)
}

// Interrupted reports whether an earlier publish was interrupted.
func (p *Proposal) Interrupted() bool { return p.From > 0 }

// Propose reads the database again (see [Designer.Refresh]) and plans the steps
// from it to the design. What no plan can make is in Blocked, and the plan is
// that of the rest. It changes no database. The error is that of reading, a
// [*designer.PlanError] that no part of the design explains, or [ErrPublishing]; Diff and Version are then set as
// far as they are known.
func (d *Designer) Propose(ctx context.Context, db Database) (*Proposal, error) {
	if !d.publishing.TryRLock() {
		return nil, ErrPublishing
	}
	defer d.publishing.RUnlock()
	return d.proposal(ctx, db)
}

// proposal is Propose for callers that hold the lock.
func (d *Designer) proposal(ctx context.Context, db Database) (*Proposal, error) {
	def, err := d.reread(ctx, db)
	if err != nil {
		return nil, err
	}
	from := d.basisOf(def)
	p, err := d.propose(ctx, db, def)
	if p != nil {
		p.basis = from
	}
	return p, err
}

// reread refreshes the design and returns what was read.
func (d *Designer) reread(ctx context.Context, db Database) (designer.Definition, error) {
	if db.ID() != d.id {
		return designer.Definition{}, fmt.Errorf("read database of connection %q: connection %q was given", d.id, db.ID())
	}
	def, _, err := d.refresh(ctx, db)
	return def, err
}

func (d *Designer) propose(ctx context.Context, db Database, def designer.Definition) (*Proposal, error) {
	base, err := d.Base(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.RLock()
	to, err := d.snapshotLocked()
	p := &Proposal{Version: d.row.version, Base: d.row.baseVersion, Sync: d.row.sync()}
	pending := d.pending
	d.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	if pending != nil {
		return d.resumed(p, base, pending, def)
	}
	p.Diff = designer.DiffOf(base, to)
	if p.Sync == Drifted {
		merged, err := merge.Definition(base, to, def, nil)
		if err != nil {
			return p, err
		}
		p.Conflicts = merged.Conflicts
		return p, nil
	}
	if p.Diff.Empty() {
		return p, nil
	}
	p.Plan, p.Diff, p.Blocked, err = designer.PlanAround(p.Diff, db.Plan)
	return p, err
}

// resumed proposes the rest of an interrupted plan.
func (d *Designer) resumed(p *Proposal, base *designer.Schema, pending *pendingPublish, def designer.Definition) (*Proposal, error) {
	to, err := pending.schema(base)
	if err != nil {
		return nil, err
	}
	now, err := base.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	p.Plan, p.From, p.Diff = pending.Plan, pending.step, designer.DiffOf(base, to)
	if now.Version() != pending.before {
		p.From++ // the step in progress had been run
	}
	return p, nil
}

// Snapshot returns the model as last committed, for the caller to keep.
func (d *Designer) Snapshot() (*designer.Schema, error) {
	if err := d.load(); err != nil {
		return nil, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.snapshotLocked()
}

// snapshotLocked returns the model as committed, for the caller to keep.
func (d *Designer) snapshotLocked() (*designer.Schema, error) {
	s := d.schema
	return designer.Restore(s.Dialect(), s.Tables(), &designer.Options{NewID: d.m.opts.NewID,
		DefaultSchema: s.DefaultSchema(), Catalog: s.Catalog()})
}
