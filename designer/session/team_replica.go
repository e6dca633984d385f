package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// snapshotEvery is after how many entries a snapshot is kept. A newcomer
// applies so many at most.
const snapshotEvery = 500

// teamSnapshot is a design at a place of its journal, with its steps.
type teamSnapshot struct {
	Format int            `json:"format"`
	Design *teamGenesis   `json:"design"`
	Digest string         `json:"digest"`
	Steps  []snapshotStep `json:"steps"`
}

// snapshotStep is a stepRow.
type snapshotStep struct {
	Number int64     `json:"step"`
	Entry  teamEntry `json:"entry"` // with this step alone
}

// replica is a design that is read from its journal, in memory.
type replica struct {
	genesis *teamGenesis
	schema  *designer.Schema
	digest  identity
	at      journal.Position
	first   int64     // number of the first step kept
	steps   []stepRow // numbered without gaps from first
}

func (r *replica) top() int64 { return r.first + int64(len(r.steps)) - 1 }

// replicate reads a journal up to its end.
func replicate(ctx context.Context, j journal.Journal, dialect func(name string) *designer.Dialect, newID func() designer.ID) (*replica, error) {
	r := &replica{first: 1}
	at, data, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if data != nil {
		if err := guarded(func() error { return r.restore(at, data, dialect, newID) }); err != nil {
			return nil, err
		}
	}
	err = j.Read(ctx, r.at, func(e journal.Entry) error {
		te, err := decodeTeamEntry(e.Body)
		if err == nil {
			err = guarded(func() error {
				if r.schema == nil {
					return r.begin(te, dialect, newID)
				}
				return r.apply(te)
			})
		}
		if err != nil {
			return &journal.BrokenError{Journal: j.Name(), Reason: fmt.Sprintf("entry %d: %v", e.Seq, err)}
		}
		r.at = e.Position()
		return nil
	})
	if err == nil && r.schema == nil {
		err = &journal.BrokenError{Journal: j.Name(), Reason: "it is empty"}
	}
	return r, err
}

// begin takes the first entry.
func (r *replica) begin(e teamEntry, dialect func(name string) *designer.Dialect, newID func() designer.ID) (err error) {
	if e.Kind != entryGenesis || e.Genesis == nil {
		return errors.New("it is not the design that the journal begins with")
	}
	return r.set(e.Genesis, e.Digest, dialect, newID)
}

func (r *replica) set(g *teamGenesis, digest string, dialect func(name string) *designer.Dialect, newID func() designer.ID) (err error) {
	of := dialect(g.Dialect)
	if of == nil {
		return fmt.Errorf("dialect %q is not known", g.Dialect)
	}
	if r.schema, err = g.schema(of, designer.Catalog{}, newID); err != nil {
		return err
	}
	if r.digest, err = identityOfSchema(r.schema); err != nil {
		return err
	}
	if r.digest.String() != digest {
		return errors.New("the design that it holds is not the one that was written")
	}
	r.genesis = g
	return nil
}

func (r *replica) apply(e teamEntry) error {
	_, digest, err := e.apply(r.schema, r.digest)
	if err != nil {
		return err
	}
	r.digest = digest
	r.steps = append(r.steps, e.rows(r.top())...)
	if more := len(r.steps) - teamSteps; more > 0 {
		r.first, r.steps = r.first+int64(more), r.steps[more:]
	}
	return nil
}

// restore begins with a snapshot.
func (r *replica) restore(at journal.Position, data []byte, dialect func(name string) *designer.Dialect, newID func() designer.ID) error {
	var s teamSnapshot
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("read snapshot %d: %w", at.Seq, err)
	}
	if s.Format > teamFormat || s.Design == nil {
		return nil // of a newer berth: the entries say the same
	}
	if err := r.set(s.Design, s.Digest, dialect, newID); err != nil {
		return fmt.Errorf("read snapshot %d: %w", at.Seq, err)
	}
	r.at = at
	for i, step := range s.Steps {
		if i == 0 {
			r.first = step.Number
		}
		r.steps = append(r.steps, step.Entry.rows(step.Number-1)...)
	}
	return nil
}

// snapshotSoonLocked keeps a snapshot of the design as it is now. It is for
// newcomers' speed: that it failed is logged.
func (d *Designer) snapshotSoonLocked(sh *sharing) {
	at, j, ctx := sh.record.At, sh.journal, sh.ctx
	s := teamSnapshot{Format: teamFormat, Design: genesisOf(d.schema), Digest: sh.record.Digest}
	err := d.m.store.read(background, func(r reader) error {
		rows, err := r.steps(d.row.id, d.row.steps.first, d.row.steps.top)
		for _, row := range rows {
			s.Steps = append(s.Steps, snapshotStep{Number: row.seq, Entry: teamEntry{Author: row.author, Origin: row.origin, Client: row.client, Batch: row.batch, At: row.at,
				Steps: []teamStep{{Description: row.description, Change: json.RawMessage(row.change), Undoes: row.undoes}}}})
		}
		return err
	})
	if err != nil {
		d.m.opts.Logger.Warn("no snapshot of a team's design", "connection", d.id, "cause", err)
		return
	}
	sh.jobs.Go(func() {
		data, err := encode(s)
		if err == nil {
			err = j.SaveSnapshot(ctx, at, []byte(data))
		}
		if err != nil && ctx.Err() == nil {
			d.m.opts.Logger.Warn("no snapshot of a team's design", "connection", d.id, "cause", err)
		}
	})
}
