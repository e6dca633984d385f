package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// storePause is how long the follower waits after state.db took no entry.
const storePause = time.Second

// restorePause is how often a journal that cannot be followed is looked at again.
const restorePause = 2 * time.Second

// ErrNotShared means that a design has no part in a team.
var ErrNotShared = errors.New("the design is not shared with a team")

// Connect follows the journal of a shared design, until [Designer.Disconnect]
// or the manager's Close. Edits are possible from then on.
func (d *Designer) Connect(j journal.Journal) error {
	if err := d.load(); err != nil {
		return err
	}
	d.Disconnect()
	d.mu.Lock()
	defer d.mu.Unlock()
	sh := d.shared
	switch {
	case sh == nil:
		return ErrNotShared
	case sh.record.Name != j.Name():
		return fmt.Errorf("the design is that of team design %q, not %q", sh.record.Name, j.Name())
	}
	sh.ctx, sh.cancel = context.WithCancel(context.Background())
	sh.journal, sh.stopped = j, nil
	sh.wake()
	d.m.opts.TeamChanged()
	ctx := sh.ctx
	sh.jobs.Go(func() { d.follow(ctx, sh, j) })
	return nil
}

// Disconnect stops following. The design can be read, and not edited.
func (d *Designer) Disconnect() {
	d.mu.Lock()
	sh := d.shared
	if sh == nil || sh.journal == nil {
		d.mu.Unlock()
		return
	}
	sh.cancel()
	d.mu.Unlock()
	sh.jobs.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	sh.journal, sh.since, sh.why = nil, d.m.opts.Now(), notConnected
	sh.wake()
	d.m.opts.TeamChanged()
}

// Unreachable says why there is no journal to connect the design to; it is shown
// until [Designer.Connect].
func (d *Designer) Unreachable(reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared != nil {
		d.shared.why = reason
		d.m.opts.TeamChanged()
	}
}

// follow applies what others append.
func (d *Designer) follow(ctx context.Context, sh *sharing, j journal.Journal) {
	for {
		d.mu.RLock()
		at := sh.record.At
		d.mu.RUnlock()
		var misfit error // of an entry, which stays as it is
		err := j.Follow(ctx, at, func(e journal.Entry) error { misfit = d.takeEntry(sh, e); return misfit })
		if ctx.Err() != nil || errors.Is(err, errLeft) || errors.Is(err, ErrClosed) {
			return
		}
		var state *StateError
		if errors.As(err, &state) {
			d.m.opts.Logger.Warn("a team's edit could not be stored", "connection", d.id, "cause", err)
			select {
			case <-time.After(storePause):
				continue
			case <-ctx.Done():
				return
			}
		}
		d.m.opts.Logger.Error("a team's journal is not followed any more", "connection", d.id, "cause", err)
		d.stop(sh, err)
		if misfit != nil || !d.restored(ctx, sh, j) {
			return
		}
		d.m.opts.Logger.Info("a team's journal can be followed again", "connection", d.id)
		d.stop(sh, nil)
	}
}

// stop notes why the journal is not followed; nil: it is again.
func (d *Designer) stop(sh *sharing, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sh.stopped = why
	sh.wake()
	d.m.opts.TeamChanged()
}

// errThere ends a read that only looks whether there is something.
var errThere = errors.New("there is an entry")

// restored waits until a journal can be read from the replica's place on, as
// after its stream was restored from a backup that has all of it. It reports
// false if ctx ends first.
func (d *Designer) restored(ctx context.Context, sh *sharing, j journal.Journal) bool {
	for {
		select {
		case <-time.After(restorePause):
		case <-ctx.Done():
			return false
		}
		d.mu.RLock()
		at := sh.record.At
		d.mu.RUnlock()
		err := j.Read(ctx, at, func(journal.Entry) error { return errThere })
		if err == nil || errors.Is(err, errThere) {
			return true
		}
		var broken *journal.BrokenError
		if errors.As(err, &broken) { // for another reason, perhaps
			d.stop(sh, err)
		}
	}
}

// takeEntry applies an entry from the journal. Those that the design has are
// passed over.
func (d *Designer) takeEntry(sh *sharing, e journal.Entry) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared != sh {
		return errLeft
	}
	if err := d.loadLocked(); err != nil {
		return err
	}
	if at := sh.record.At; e.Seq < at.Seq || e.Seq == at.Seq && e.Hash() == at.Hash {
		return nil
	}
	if e.Seq != sh.record.At.Seq+1 || e.Previous != sh.record.At.Hash {
		return d.misfitLocked(e, errors.New("it does not follow what this replica has"))
	}
	te, err := decodeTeamEntry(e.Body)
	if err != nil {
		return d.misfitLocked(e, err)
	}
	return d.applyForeignLocked(e, te)
}

// applyForeignLocked applies an entry that another instance, or another program,
// has written: what it says may be anything.
func (d *Designer) applyForeignLocked(e journal.Entry, te teamEntry) error {
	err := guarded(func() error { return d.applyLocked(e, te, nil) })
	if errors.Is(err, errSenseless) {
		d.schema, d.base = nil, nil // the store has it as it was
		err = d.misfitLocked(e, err)
	}
	return err
}

// errSenseless is in the chain of the error of what made a function panic.
var errSenseless = errors.New("it makes no sense")

// guarded runs apply on what came from outside, and turns a panic into an error.
func guarded(apply func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w (%v)", errSenseless, cause)
		}
	}()
	return apply()
}

func (d *Designer) misfitLocked(e journal.Entry, err error) error {
	return &journal.BrokenError{Journal: d.shared.record.Name, Reason: fmt.Sprintf("entry %d: %v", e.Seq, err),
		Hint: "berth team detach keeps the design as it is here; attach it again for the team's"}
}

// applyLocked makes an entry on the design and commits it. own is what else the
// commit has, of this host alone; nil: nothing.
func (d *Designer) applyLocked(e journal.Entry, te teamEntry, own *playResult) error {
	sh := d.shared
	digest, err := parseIdentity(sh.record.Digest)
	if err != nil {
		return damaged(d.m.store.path, "team: %w", err)
	}
	changes, after, err := te.apply(d.schema, digest)
	if err != nil {
		return d.misfitLocked(e, err)
	}
	record := sh.record
	record.At, record.Digest = e.Position(), after.String()
	record.Published = reported(record.Published, te, e.Seq)
	if te.Kind == entryRemove && te.Person == record.Author {
		record.Gone = te.Author
	}
	p := &playResult{row: d.row, failed: -1, record: true, batch: te.Batch, changes: changes, applied: len(changes),
		shared: sharedResult{author: te.Author, at: te.At, record: &record}}
	for _, step := range te.Steps {
		p.shared.undoes = append(p.shared.undoes, step.Undoes)
	}
	if own != nil {
		p.takeLocal(own)
	}
	req := request{event: te.eventType(own != nil), origin: te.Origin, client: te.Client}
	out := d.outcomeLocked(req, p)
	if err := d.commitLocked(background, req, p, &out); err != nil {
		d.revertLocked(p)
		return err
	}
	t := touch{seq: e.Seq, tables: touched(changes)}
	for _, c := range changes {
		t.types = t.types || len(c.Types) > 0
	}
	sh.recent = append(sh.recent, t)
	sh.recent = sh.recent[max(0, len(sh.recent)-keptTouches):]
	return nil
}

// whyStopped returns why a replica follows its journal no more; nil: it does.
func (s *sharing) whyStopped() error {
	if s.record.Gone != "" {
		return fmt.Errorf("%s removed %s from the team (berth team detach keeps the design as it is here)", s.record.Gone, s.record.Author)
	}
	return s.stopped
}

// readOnly returns why the design cannot be edited now; nil: it can.
func (s *sharing) readOnly() *designer.Error {
	if err := s.whyStopped(); err != nil {
		return teamRefusal(err)
	}
	if s.unknown != nil {
		return &designer.Error{Reason: designer.TeamUnknown,
			Message: fmt.Sprintf("It is not known yet whether batch %s was committed in team design %q; the design is read-only until then. Read it again later: what was committed is there", s.unknown.batch, s.record.Name)}
	}
	if s.journal == nil {
		return teamRefusal(&journal.UnreachableError{Journal: s.record.Name, Reach: journal.Reach{Since: s.since, Reason: s.why}})
	}
	if reach := s.journal.Reach(); !reach.Connected {
		return teamRefusal(&journal.UnreachableError{Journal: s.record.Name, Reach: reach})
	}
	return nil
}

// teamRefusal says why the team does not take an edit.
func teamRefusal(err error) *designer.Error {
	var unreachable *journal.UnreachableError
	if errors.As(err, &unreachable) {
		return &designer.Error{Reason: designer.TeamUnreachable,
			Message: err.Error() + ". Nothing was changed; reading, diff and verify go on, edits once it is back"}
	}
	return &designer.Error{Reason: designer.TeamRefused, Message: err.Error() + ". Nothing was changed"}
}
