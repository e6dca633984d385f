package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
)

// acceptedDocument is the name of the document that stores what a person has
// accepted of the agent's changes.
const acceptedDocument = "accepted"

// maxAccepted bounds the single things that a person has accepted; accepting
// all needs none.
const maxAccepted = 20_000

// Review is the net of what the agent changed since a person accepted it.
type Review struct {
	Version string
	Tables  []ReviewedTable
	Types   []ReviewedType
}

// ReviewedTable is one table of a [Review].
type ReviewedTable struct {
	review.Table
	Last Step // the agent's last in it
}

// ReviewedType is one named type of a [Review].
type ReviewedType struct {
	review.Type
	Last Step
}

// Review returns what a person has to look at.
func (d *Designer) Review(ctx context.Context) (Review, error) {
	if err := d.load(); err != nil {
		return Review{}, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	net, rows, err := d.netLocked(ctx)
	if err != nil {
		return Review{}, err
	}
	last := func(k review.Key) Step {
		at, ok := slices.BinarySearchFunc(rows, net.Last(k), func(r stepRow, n int64) int { return int(r.seq - n) })
		if !ok {
			return Step{}
		}
		return rows[at].step()
	}
	r := Review{Version: d.row.version}
	for _, t := range net.Tables(d.schema) {
		r.Tables = append(r.Tables, ReviewedTable{t, last(review.Key{Table: t.ID()})})
	}
	for _, t := range net.Types(d.schema) {
		r.Types = append(r.Types, ReviewedType{t, last(review.Key{Part: t.ID()})})
	}
	return r, nil
}

// netLocked reads the steps that nobody has accepted as a whole, and what they
// come to.
func (d *Designer) netLocked(ctx context.Context) (*review.Net, []stepRow, error) {
	at := d.row.steps
	var accepted review.Accepted
	var rows []stepRow
	err := d.m.store.read(ctx, func(r reader) (err error) {
		if accepted, err = r.accepted(d.row.id); err != nil {
			return err
		}
		rows, err = r.steps(d.row.id, max(at.first, accepted.All+1), at.top)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	net := review.New(accepted)
	past := pastTables{d.schema, map[designer.ID]*designer.Table{}}
	for _, row := range slices.Backward(rows) {
		c, err := decodeChange(row.change, past, true)
		if err != nil {
			return nil, nil, damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		for _, tc := range c.Tables {
			past.over[tc.ID()] = tc.Before
		}
		net.Add(row.seq, row.origin == originAgent, c)
	}
	return net, rows, nil
}

// originAgent is the origin of an agent's steps.
const originAgent = "agent"

func (r reader) accepted(design int64) (a review.Accepted, err error) {
	body, _, err := r.document(design, acceptedDocument)
	if err == nil && body != "" {
		err = json.Unmarshal([]byte(body), &a)
	}
	if err != nil {
		return a, fmt.Errorf("read what was accepted: %w", err)
	}
	return a, nil
}

// ErrStale means that the design has changed since its caller read it.
var ErrStale = errors.New("the design has changed since it was read")

// Accept accepts what keys select of the agent's changes, as they are in the
// version that the caller has seen; without keys, all of them. It returns how
// often anything was accepted.
func (d *Designer) Accept(ctx context.Context, keys []review.Key, version string) (int64, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if version != d.row.version {
		return 0, ErrStale
	}
	return d.acceptLocked(ctx, d.row.steps.top, keys)
}

// acceptLocked accepts what keys select as step n left it; without keys, all.
func (d *Designer) acceptLocked(ctx context.Context, n int64, keys []review.Key) (counter int64, err error) {
	at := d.row.steps
	err = d.m.store.write(ctx, func(w *writer) error {
		a, err := w.accepted(d.row.id)
		if err != nil {
			return err
		}
		a.Accept(n, keys)
		a.Forget(at.first, at.last)
		if len(a.Keys) > maxAccepted {
			return ErrDocumentTooLarge
		}
		counter, err = w.saveAccepted(d.row.id, a)
		return err
	}, nil)
	return counter, err
}

func (w *writer) saveAccepted(design int64, a review.Accepted) (counter int64, err error) {
	body, err := encode(a)
	if err != nil {
		return 0, err
	}
	_, n, err := w.document(design, acceptedDocument)
	if err != nil {
		return 0, err
	}
	return n + 1, w.exec(upsertDocument, design, acceptedDocument, n+1, body)
}

// forgetSteps deletes the steps above one, whose numbers are used again: what
// was accepted of them is not accepted of others.
func (w *writer) forgetSteps(design, above int64) error {
	a, err := w.accepted(design)
	if err != nil {
		return err
	}
	if a.Forget(0, above) {
		if _, err := w.saveAccepted(design, a); err != nil {
			return err
		}
	}
	return w.exec(deleteStepsAbove, design, above)
}
