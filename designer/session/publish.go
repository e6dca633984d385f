package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/berth-dev/berth/designer"
)

// Published is the result of publishing.
type Published struct {
	Outcome
	Steps int // statements run
	// Left lists what the database still does not have: the design proposes it
	// again.
	Left []designer.DiffItem
}

// Caller is who asks for something.
type Caller struct {
	Origin string // "agent" or "page": follows from the caller's credential
	Client string // the program that asks, as it calls itself; "": not known
}

// Progress is told how many of total steps are done, and in words which begins:
// "" after the last. done grows from call to call, as MCP wants it; total stays
// as it is. A plan
// that is tried and then made counts each of its steps twice.
type Progress func(done, total int, step string)

// steps tells p of the steps of one round of rounds through the plan, begun
// names what is done to them.
func (p Progress) steps(begun string, plan designer.Plan, round, rounds int) func(step int, done bool) error {
	if p == nil {
		return nil
	}
	n := len(plan.Steps)
	return func(step int, done bool) error {
		switch {
		case !done:
			p(round*n+step, rounds*n, begun+": "+plan.Steps[step].Comment)
		case step == n-1 && round == rounds-1:
			p((round+1)*n, rounds*n, "")
		}
		return nil
	}
}

// finishTime bounds how long the database is read after a publish, even if the
// caller has gone.
const finishTime = time.Minute

// Verify tries a proposal on a scratch copy or in a transaction that is rolled
// back. The error is a [*designer.StepError] if the database refuses a step,
// and a [*designer.Error] if all of it is blocked. It is a
// [*designer.LockedError] or wraps [ErrPlanChanged] if the trial failed while
// another publish is in progress or after one. What could not be tried is added to the plan's notes. It calls progress, which may be nil, as each step
// begins and after the last.
func (d *Designer) Verify(ctx context.Context, db Database, p *Proposal, progress Progress) error {
	return d.try(ctx, db, p, progress, 1)
}

// try is Verify, as the first of so many rounds through the plan.
func (d *Designer) try(ctx context.Context, db Database, p *Proposal, progress Progress, rounds int) error {
	if err := p.blocked(); err != nil {
		return err
	}
	if p.Interrupted() || len(p.Plan.Steps) == 0 {
		return nil // the whole plan has been tried before
	}
	err := db.Verify(ctx, p.Plan, progress.steps("trying", p.Plan, 0, rounds))
	var rest *designer.NotTriedError
	if errors.As(err, &rest) { // for the person who approves the plan
		p.Plan.Notes = append(slices.Clip(p.Plan.Notes), rest.Reason)
		return nil
	}
	if err != nil {
		return d.refused(ctx, db, p, err)
	}
	return nil
}

// blocked refuses a proposal of which nothing can be published.
func (p *Proposal) blocked() error {
	if len(p.Blocked) == 0 || len(p.Plan.Steps) > 0 {
		return nil
	}
	b := p.Blocked[0]
	message := fmt.Sprintf("Table %s.%s: %s", b.Table.Schema, b.Table.Name, b.Message)
	if more := len(p.Blocked) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more tables)", more)
	}
	return &designer.Error{Reason: designer.ValidationError, Message: message}
}

// Publish runs the plan that was approved by its digest: it reads the database
// again, tries the plan, runs it, reads the result and adopts that as the
// design's base. It calls progress, which may be nil, as each step begins, first
// in the trial and then in earnest; see [Progress].
//
// The plan is run under the database's lock, and only if the database, and the
// journal of a shared design, are still as they were when it was planned.
//
// After it has begun to run the plan, the error is a [*PublishError], which
// says how the database was left. Before that it is in the chain of
// [ErrPlanChanged], a [*designer.LockedError], the refusal of a team,
// [ErrPublishing], that of [Designer.Verify] or the database's, and nothing was
// changed.
func (d *Designer) Publish(ctx context.Context, db Database, approved string, by Caller, progress Progress) (*Published, error) {
	if !d.busy.CompareAndSwap(false, true) {
		return nil, ErrPublishing
	}
	defer d.busy.Store(false)
	d.publishing.Lock() // looks in progress end soon
	defer d.publishing.Unlock()
	p, err := d.proposal(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := p.basis.publishable(); err != nil {
		return nil, err
	}
	if p.Digest() != approved || len(p.Conflicts) > 0 {
		return nil, ErrPlanChanged
	}
	if err := p.blocked(); err != nil {
		return nil, err
	}
	if len(p.Plan.Steps) == 0 {
		return &Published{Outcome: Outcome{Version: p.Version, FailedIndex: -1}}, nil
	}
	if err := d.try(ctx, db, p, progress, 2); err != nil {
		return nil, err
	}
	begun := false
	guard := designer.Guard{Holder: d.holder(), Ready: func(ctx context.Context) error {
		err := d.unchanged(ctx, db, p)
		if err == nil {
			err = d.begin(ctx, p)
			begun = begun || err == nil
		}
		return err
	}}
	failed := db.Publish(ctx, p.Plan, p.From, guard, d.track(ctx, db, p, progress.steps("publishing", p.Plan, 1, 2)))
	if !begun {
		return nil, cmp.Or(failed, errNotGuarded)
	}
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	done, err := d.finish(finish, db, p, by, failed)
	return d.publishResult(p.Plan, done, failed, err)
}

// begin records that the plan is about to be run.
func (d *Designer) begin(ctx context.Context, p *Proposal) error {
	record, err := newPending(p)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.m.closed.Load() {
		return ErrClosed
	}
	record.started = d.m.opts.Now()
	return d.m.store.write(ctx, func(w *writer) error { return w.pending(d.row.id, record) },
		func() { d.pending, d.making = record, true })
}

// track records each step of a plan that is not one transaction before the step
// runs, with the database's version, from which it can be determined afterwards
// whether it did.
func (d *Designer) track(ctx context.Context, db Database, p *Proposal, progress func(int, bool) error) func(int, bool) error {
	return func(step int, done bool) error {
		if progress != nil {
			if err := progress(step, done); err != nil {
				return err
			}
		}
		if done || p.Plan.Transactional {
			return nil
		}
		def, err := db.Read(ctx)
		if err != nil {
			return fmt.Errorf("read database before step %d: %w", step+1, err)
		}
		now, err := p.Diff.From.Adopt(def)
		if err != nil {
			return fmt.Errorf("adopt database before step %d: %w", step+1, err)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.m.closed.Load() {
			return ErrClosed
		}
		return d.m.store.write(ctx, func(w *writer) error { return w.pendingStep(d.row.id, step, now.Version()) },
			func() { d.pending.step, d.pending.before = step, now.Version() })
	}
}

// finish reads the database and settles the record. failed is the engine's
// error; nil: every statement was accepted.
func (d *Designer) finish(ctx context.Context, db Database, p *Proposal, by Caller, failed error) (*Published, error) {
	def, seen, err := d.read(ctx, db)
	d.mu.Lock()
	d.making = false
	d.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("read database after publishing: %w", err)
	}
	done := &Published{Steps: len(p.Plan.Steps) - p.From}
	done.Outcome, err = d.run(ctx, request{event: PublishedDesign, origin: by.Origin, client: by.Client,
		play: func(s *designer.Schema, pl *playResult) (err error) {
			done.Left, err = d.playSettle(s, pl, def, failed == nil)
			if takenBack(p.Plan, failed) {
				pl.shared.report = nil // what is there is not of this publish
			}
			return err
		}})
	if err == nil {
		d.recordSight(seen)
	}
	return done, err
}
