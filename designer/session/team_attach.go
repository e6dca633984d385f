package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/merge"
)

// ErrShared means that a design has a part in a team already.
var ErrShared = errors.New("the design is shared with a team already")

// Genesis returns the first entry of a journal that begins with this design,
// and an id for it.
func (d *Designer) Genesis(author string) (id string, body []byte, err error) {
	if err := d.load(); err != nil {
		return "", nil, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.shared != nil {
		return "", nil, fmt.Errorf("%w: %q", ErrShared, d.shared.record.Name)
	}
	digest, err := identityOfSchema(d.schema)
	if err != nil {
		return "", nil, err
	}
	text, err := encode(teamEntry{Format: teamFormat, Kind: entryGenesis, Author: author, At: d.m.opts.Now().UTC(),
		After: d.row.version, Digest: digest.String(), Genesis: genesisOf(d.schema)})
	return uuid.NewString(), []byte(text), err
}

// Attached is the result of joining a team's design.
type Attached struct {
	Version string
	Tables  int
	Brought bool // edits that the design had were brought into the team's
}

// Attach makes the design a replica of a team's, and follows it from then on.
// Changes that the design has of its own are merged with the team's and become
// one edit there; if some conflict, nothing happens and the error says so. The
// undo steps become the team's.
func (d *Designer) Attach(ctx context.Context, j journal.Journal, author string) (Attached, error) {
	if err := d.load(); err != nil {
		return Attached{}, err
	}
	for {
		r, err := replicate(ctx, j, d.dialectNamed, d.m.opts.NewID)
		if err != nil {
			return Attached{}, err
		}
		brought, err := d.bring(ctx, j, r, author)
		if errors.Is(err, journal.ErrLost) {
			continue
		}
		if err != nil {
			return Attached{}, err
		}
		if err := d.adoptReplica(ctx, j, r, author); err != nil {
			return Attached{}, err
		}
		return Attached{Version: d.Version(), Tables: d.Info().Tables, Brought: brought}, d.Connect(j)
	}
}

func (d *Designer) dialectNamed(name string) *designer.Dialect {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.dialect != nil && d.dialect.Name == name {
		return d.dialect
	}
	return d.m.opts.Dialect(name)
}

// bring appends the changes that the design has of its own to the journal and
// applies them to r.
func (d *Designer) bring(ctx context.Context, j journal.Journal, r *replica, author string) (bool, error) {
	e, err := d.broughtBy(r, author)
	if err != nil || e == nil {
		return false, err
	}
	body, err := encode(e)
	if err != nil {
		return false, err
	}
	at, err := j.Append(ctx, r.at, uuid.NewString(), []byte(body))
	if err != nil {
		return false, err
	}
	r.at = at
	return true, r.apply(*e)
}

// broughtBy returns the entry that brings the design's own changes into the
// team's design; nil: there are none.
func (d *Designer) broughtBy(r *replica, author string) (*teamEntry, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	switch {
	case d.shared != nil:
		return nil, fmt.Errorf("%w: %q", ErrShared, d.shared.record.Name)
	case d.pending != nil:
		return nil, errors.New("a publish of the design was interrupted: berth publish resumes it; attach it after that")
	case r.genesis.Dialect != d.row.dialect:
		return nil, fmt.Errorf("the team's design is for %s and this connection is %s: a shared design has one dialect", r.genesis.Dialect, d.row.dialect)
	case !sameSchemaName(r.genesis.DefaultSchema, d.row.defaultSchema):
		return nil, fmt.Errorf("the team's design is for schema %q and this connection's is %q: give the databases one name", r.genesis.DefaultSchema, d.row.defaultSchema)
	case d.row.version == r.schema.Version() || d.row.version == d.row.baseVersion:
		return nil, nil
	}
	def, err := d.mergedWith(r)
	if err != nil {
		return nil, err
	}
	trial, err := d.copyOf(r.schema)
	if err != nil {
		return nil, err
	}
	c, refusal := trial.Import(def, true)
	if refusal != nil {
		return nil, fmt.Errorf("the changes of this design do not fit the team's: %s", refusal.Message)
	}
	if c.Empty() {
		return nil, nil
	}
	c.Description = "Bring the changes made before joining the team"
	e := &teamEntry{Format: teamFormat, Kind: entryEdit, Author: author, Origin: "page", Batch: d.m.opts.NewBatch(),
		At: d.m.opts.Now().UTC(), Before: r.schema.Version(), After: trial.Version()}
	if err := e.encodeSteps([]designer.Change{c}, &sharedResult{}); err != nil {
		return nil, err
	}
	again, err := d.copyOf(r.schema)
	if err != nil {
		return nil, err
	}
	_, digest, err := e.lead(again, r.digest)
	e.Digest = digest.String()
	return e, err
}

func sameSchemaName(a, b string) bool { return designer.Fold(a) == designer.Fold(b) }

// mergedWith merges the design with the team's, by names, as with a database
// that has changed.
func (d *Designer) mergedWith(r *replica) (designer.Definition, error) {
	base, err := d.storedBase()
	if err != nil {
		return designer.Definition{}, err
	}
	merged, err := merge.Definition(base, d.schema, r.schema.Definition(), nil)
	if err != nil {
		return designer.Definition{}, err
	}
	if merged.Open > 0 {
		return designer.Definition{}, fmt.Errorf("this design and the team's have both changed the same things (%d conflicts, the first in table %s.%s): undo those changes here, attach, and make them again",
			merged.Open, merged.Conflicts[0].Table.Schema, merged.Conflicts[0].Table.Name)
	}
	def := merged.Design.Definition()
	def.Views = nil
	def.Objects = slices.DeleteFunc(def.Objects, func(o designer.Object) bool { return !d.schema.Dialect().EditsType(o) })
	return def, nil
}

// adoptReplica replaces the design with r.
func (d *Designer) adoptReplica(ctx context.Context, j journal.Journal, r *replica, author string) error {
	_, err := d.run(ctx, request{event: Refreshed, origin: originDatabase, local: true, // which has pages read all of it
		play: func(s *designer.Schema, p *playResult) error {
			if d.shared != nil {
				return fmt.Errorf("%w: %q", ErrShared, d.shared.record.Name)
			}
			base, err := d.storedBase()
			if err != nil {
				return err
			}
			catalog := s.Catalog()
			if p.next, err = genesisOf(r.schema).schema(s.Dialect(), catalog, d.m.opts.NewID); err != nil {
				return err
			}
			def := base.Definition()
			def.Numbers = base.Catalog().Numbers
			adopted, err := p.next.Adopt(def) // the database, under the team's ids
			if err != nil {
				return fmt.Errorf("adopt database: %w", err)
			}
			if err := p.rebase(def, adopted); err != nil {
				return err
			}
			if d.row.seenVersion == d.row.baseVersion {
				p.row.seenVersion = p.row.baseVersion
			}
			steps := append([]stepRow{}, r.steps...)
			p.barriers = &barriers{}
			p.row.steps = stack{first: r.first, top: r.top(), last: r.top()}
			p.shared = sharedResult{steps: &steps,
				record: &teamRecord{Name: j.Name(), Author: author, At: r.at, Digest: r.digest.String()}}
			return nil
		}})
	return err
}

// Detach ends the design's part in its team: it stays as it is here, with all
// steps, and is this project's alone from then on.
func (d *Designer) Detach(ctx context.Context) error {
	if err := d.load(); err != nil {
		return err
	}
	d.Disconnect()
	_, err := d.run(ctx, request{event: Shown, origin: "page", local: true,
		play: func(_ *designer.Schema, p *playResult) error {
			if d.shared == nil {
				return ErrNotShared
			}
			p.shared.leaves = true
			return nil
		}})
	return err
}

// Remove says in the journal that a person is no longer one of the team:
// instances that edit for them stop following. Their access is the broker's to
// end.
func (d *Designer) Remove(ctx context.Context, person string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.loadLocked(); err != nil {
		return err
	}
	sh := d.shared
	if sh == nil {
		return ErrNotShared
	}
	if err := d.enterLocked(ctx, sh); err != nil {
		return err
	}
	defer func() { <-sh.gate }()
	for {
		if d.shared != sh {
			return errLeft
		}
		if refusal := sh.readOnly(); refusal != nil {
			return refusal
		}
		e := teamEntry{Format: teamFormat, Kind: entryRemove, Author: sh.record.Author, Origin: "page", At: d.m.opts.Now().UTC(),
			Before: d.row.version, After: d.row.version, Digest: sh.record.Digest, Person: person}
		body, err := encode(e)
		if err != nil {
			return err
		}
		p := &teamProposal{after: sh.record.At, id: uuid.NewString(), entry: e, body: []byte(body), result: &playResult{row: d.row}}
		at, err := d.appendLocked(ctx, sh, p)
		if err == nil {
			_, err = d.takeOwnLocked(sh, p, at)
			return err
		}
		if errors.Is(err, journal.ErrLost) {
			if err = d.awaitLocked(ctx, sh, p.after.Seq); err == nil {
				continue
			}
		}
		return err
	}
}
