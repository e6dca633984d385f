package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// teamPatience bounds an append, whatever the caller's patience: the election
// of a broker's leader took up to 8.3 s. A caller that has gone does not end it.
const teamPatience = 12 * time.Second

// teamProposal is an edit that was played and taken back, as the entry that
// makes it.
type teamProposal struct {
	after   journal.Position
	id      string
	entry   teamEntry
	body    []byte
	outcome Outcome
	result  *playResult // what of it is this host's alone
	touch   touch
}

// runSharedLocked is the pipeline of a design that a team shares. It gives the
// designer's lock back while the broker is asked.
func (d *Designer) runSharedLocked(ctx context.Context, req request) (Outcome, error) {
	sh := d.shared
	switch {
	case req.dryRun:
	case req.reads && len(sh.gate) > 0: // reading waits for no broker
		req.offline = true
	default:
		if err := d.enterLocked(ctx, sh); err != nil {
			return Outcome{}, err
		}
		defer func() { <-sh.gate }()
		if d.shared != sh {
			return Outcome{}, errLeft
		}
	}
	first := sh.record.At.Seq
	for tries, strict := 0, req.expected != ""; ; tries++ {
		p, out, err := d.proposeLocked(ctx, req)
		if p == nil || err != nil {
			return out, err
		}
		if tries > 0 && strict && sh.touchedSince(first, p.touch) {
			return d.refusedLocked(&designer.Error{Reason: designer.StaleState, Message: "Schema changed since last read"}), nil
		}
		at, err := d.appendLocked(ctx, sh, p)
		if err == nil {
			return d.takeOwnLocked(sh, p, at)
		}
		if errors.Is(err, journal.ErrLost) {
			if err = d.awaitLocked(ctx, sh, p.after.Seq); err == nil {
				req.expected = ""
				continue
			}
		}
		if req.offline = req.reads; req.reads { // what was read goes without it
			req.reads = false
			continue
		}
		return d.failedLocked(sh, p, err)
	}
}

// errLeft means that the design's part in the team ended meanwhile.
var errLeft = errors.New("the design has left its team meanwhile; repeat the call")

// enterLocked waits for the edit that is being appended.
func (d *Designer) enterLocked(ctx context.Context, sh *sharing) error {
	d.mu.Unlock()
	defer d.mu.Lock()
	select {
	case sh.gate <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *Designer) refusedLocked(refusal *designer.Error) Outcome {
	return Outcome{Version: d.row.version, FailedIndex: -1, Err: refusal}
}

// proposeLocked plays a request. It returns no proposal if there is nothing to
// append: a refusal, a dry run, or a change of this host alone, which is then
// committed.
func (d *Designer) proposeLocked(ctx context.Context, req request) (*teamProposal, Outcome, error) {
	if err := d.loadLocked(); err != nil {
		return nil, Outcome{}, err
	}
	if refusal := d.checkLocked(req); refusal != nil {
		return nil, d.refusedLocked(refusal), nil
	}
	p := &playResult{row: d.row, failed: -1, offline: req.offline}
	defer d.distrustAfterPanicLocked()
	if err := req.play(d.schema, p); err != nil {
		d.revertLocked(p)
		return nil, Outcome{}, err
	}
	out := d.outcomeLocked(req, p)
	switch {
	case p.next != nil:
		return nil, Outcome{}, errors.New("a design that a team shares is not replaced")
	case req.dryRun:
		d.revertLocked(p)
		return nil, out, nil
	case p.idle(d.row):
		return nil, out, nil
	case len(p.changes) == 0 && (p.shared.report == nil || d.shared.readOnly() != nil):
		return nil, out, d.commitLocked(ctx, req, p, &out)
	}
	if refusal := d.shared.readOnly(); refusal != nil {
		d.revertLocked(p)
		return nil, d.refusedLocked(refusal), nil
	}
	proposal, err := d.encodeProposalLocked(req, p)
	if err == nil {
		proposal.outcome = out
	}
	return proposal, Outcome{}, err
}

// encodeProposalLocked takes back what was played and makes an entry of it. Its
// digest is that of applying the entry, as every replica does.
func (d *Designer) encodeProposalLocked(req request, p *playResult) (*teamProposal, error) {
	sh := d.shared
	e := teamEntry{Format: teamFormat, Kind: kindOf(req.event), Author: sh.record.Author, Origin: req.origin, Client: req.client, Batch: p.batch,
		At: d.m.opts.Now().UTC().Truncate(time.Millisecond), Before: d.row.version, After: d.schema.Version()}
	if p.shared.published {
		e.Origin, e.Kind, e.Published = originPublish, entryPublish, p.shared.report
	}
	t := touch{tables: touched(p.changes)}
	for _, c := range p.changes {
		t.types = t.types || len(c.Types) > 0
	}
	err := e.encodeSteps(p.changes, &p.shared)
	d.revertLocked(p)
	if err != nil {
		return nil, err
	}
	if err := d.sealLocked(&e); err != nil {
		return nil, err
	}
	body, err := encode(e)
	if err != nil {
		return nil, fmt.Errorf("encode entry: %w", err)
	}
	return &teamProposal{after: sh.record.At, id: uuid.NewString(), entry: e, body: []byte(body), result: p, touch: t}, nil
}

// sealLocked gives an entry its digest.
func (d *Designer) sealLocked(e *teamEntry) error {
	digest, err := parseIdentity(d.shared.record.Digest)
	if err != nil {
		return err
	}
	changes, after, err := e.lead(d.schema, digest)
	for _, c := range designer.InverseAll(changes) {
		d.schema.Redo(c)
	}
	e.Digest = after.String()
	return err
}

// appendLocked asks the broker, without the designer's lock.
func (d *Designer) appendLocked(ctx context.Context, sh *sharing, p *teamProposal) (journal.Position, error) {
	j := sh.journal
	d.mu.Unlock()
	defer d.mu.Lock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), teamPatience)
	defer cancel()
	return j.Append(ctx, p.after, p.id, p.body)
}

// awaitLocked waits until the follower has applied more than so many entries.
func (d *Designer) awaitLocked(ctx context.Context, sh *sharing, seq uint64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), teamPatience)
	defer cancel()
	for sh.record.At.Seq <= seq {
		if err := sh.whyStopped(); err != nil {
			return err
		}
		moved := sh.moved
		d.mu.Unlock()
		select {
		case <-moved:
			d.mu.Lock()
		case <-ctx.Done():
			d.mu.Lock()
			return &journal.UnreachableError{Journal: sh.record.Name,
				Reach: journal.Reach{Since: d.m.opts.Now().Add(-teamPatience), Reason: "others' edits do not arrive"}}
		}
		if d.shared != sh {
			return errLeft
		}
	}
	return nil
}

// takeOwnLocked applies an entry that the broker has acknowledged, unless the
// follower was faster.
func (d *Designer) takeOwnLocked(sh *sharing, p *teamProposal, at journal.Position) (Outcome, error) {
	if d.shared != sh {
		return Outcome{}, errLeft
	}
	var err error
	if sh.record.At == p.after {
		e := journal.Entry{Seq: at.Seq, ID: p.id, Previous: p.after.Hash, Body: p.body}
		err = d.applyLocked(e, p.entry, p.result)
	} else {
		err = d.takeLocalLocked(p.result)
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("the edit is in the journal of team design %q, and could not be stored here: %w", sh.record.Name, err)
	}
	out := p.outcome
	out.Version, out.BatchID = d.row.version, p.entry.Batch
	if at.Seq%snapshotEvery == 0 {
		d.snapshotSoonLocked(sh)
	}
	return out, nil
}

// onlyReports reports whether the entry changes nothing in the design: what it
// reports is a fact here, whether the others learn of it or not.
func (p *teamProposal) onlyReports() bool { return len(p.entry.Steps) == 0 }

// takeLocalLocked commits what of a result is this host's alone.
func (d *Designer) takeLocalLocked(r *playResult) error {
	p := &playResult{row: d.row, failed: -1}
	p.takeLocal(r)
	if p.idle(d.row) {
		return nil
	}
	out := Outcome{}
	return d.commitLocked(background, request{event: Refreshed, origin: originDatabase}, p, &out)
}

// takeLocal takes over what of another result is this host's alone.
func (p *playResult) takeLocal(r *playResult) {
	p.base, p.def, p.settled, p.show = r.base, r.def, r.settled, r.show
	p.row.name, p.row.target = r.row.name, r.row.target
	p.row.baseVersion, p.row.seenVersion = r.row.baseVersion, r.row.seenVersion
}

// failedLocked turns the error of an append into the caller's refusal.
func (d *Designer) failedLocked(sh *sharing, p *teamProposal, err error) (Outcome, error) {
	var unknown *journal.UnknownError
	switch {
	case errors.Is(err, errLeft):
		return Outcome{}, err
	case errors.As(err, &unknown):
		sh.unknown = &unknownEdit{batch: p.entry.Batch}
		d.m.opts.TeamChanged()
		d.resolveSoonLocked(sh, unknown)
		if p.onlyReports() {
			return p.outcome, d.takeLocalLocked(p.result)
		}
		out := d.refusedLocked(sh.readOnly())
		out.BatchID = p.entry.Batch
		return out, nil
	}
	var broken *journal.BrokenError
	if errors.As(err, &broken) {
		sh.stopped = err
		d.m.opts.TeamChanged()
	}
	if p.onlyReports() {
		d.m.opts.Logger.Warn("the team was not told of a publish", "connection", d.id, "cause", err)
		return p.outcome, d.takeLocalLocked(p.result)
	}
	return d.refusedLocked(teamRefusal(err)), nil
}

// resolveSoonLocked finds out what became of an edit.
func (d *Designer) resolveSoonLocked(sh *sharing, unknown *journal.UnknownError) {
	ctx := sh.ctx
	sh.jobs.Go(func() {
		_, err := unknown.Resolve(ctx)
		if ctx.Err() != nil {
			return // the next start follows the journal, which has it or has not
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.m.opts.Logger.Info("outcome of a team's edit", "connection", d.id, "batch", sh.unknown.batch, "committed", err == nil, "cause", err)
		sh.unknown = nil
		sh.wake()
		d.m.opts.TeamChanged()
	})
}

// touchedSince reports whether entries after seq have changed a table or type
// that t changes, or are no longer remembered.
func (s *sharing) touchedSince(seq uint64, t touch) bool {
	mine := map[designer.ID]bool{}
	for _, id := range t.tables {
		mine[id] = true
	}
	have := seq
	for _, theirs := range s.recent {
		if theirs.seq <= seq {
			continue
		}
		have++
		if theirs.types && t.types {
			return true
		}
		for _, id := range theirs.tables {
			if mine[id] {
				return true
			}
		}
	}
	return have != s.record.At.Seq
}
