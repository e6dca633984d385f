package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// errNotGuarded means that a database has run a plan without its lock.
var errNotGuarded = errors.New("the plan was run without the database's lock")

// basis is what a plan was made from.
type basis struct {
	database designer.Definition // as it was read
	shared   bool                // the design is a team's
	at       journal.Position    // of a shared design
	refusal  *designer.Error     // why a shared design could not be edited then
}

// basisOf returns the basis of a plan that is about to be made. It is taken
// before the design is: an entry that comes in between makes the plan stale.
func (d *Designer) basisOf(def designer.Definition) basis {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.shared == nil {
		return basis{database: def}
	}
	return basis{database: def, shared: true, at: d.shared.record.At, refusal: d.shared.readOnly()}
}

// publishable returns why a plan cannot be published; nil: it can. A shared design
// is published only while its journal can be asked whether it is the newest.
func (b basis) publishable() error {
	if b.refusal != nil {
		return b.refusal
	}
	return nil
}

// refused returns the error of a trial, or what explains it: another publish is
// in progress, or has changed what the plan was made from. The server's words,
// such as a duplicate key, say neither.
func (d *Designer) refused(ctx context.Context, db Database, p *Proposal, err error) error {
	var locked *designer.LockedError
	if errors.As(db.Locked(ctx), &locked) {
		return locked
	}
	if changed := d.sameDatabase(ctx, db, p); errors.Is(changed, ErrPlanChanged) {
		return changed
	}
	if p.basis.refusal != nil {
		return err // the journal cannot be asked
	}
	if changed := d.newest(ctx, p.basis); errors.Is(changed, ErrPlanChanged) {
		return changed
	}
	return err
}

// unchanged returns nil if a plan's journal and database are as they were when it
// was made; an error that says they are not wraps [ErrPlanChanged]. It is called
// with the database's lock held: another publish, which had it before, may have
// changed both.
func (d *Designer) unchanged(ctx context.Context, db Database, p *Proposal) error {
	if err := d.newest(ctx, p.basis); err != nil {
		return err
	}
	return d.sameDatabase(ctx, db, p)
}

// sameDatabase reads the database again.
func (d *Designer) sameDatabase(ctx context.Context, db Database, p *Proposal) error {
	def, err := db.Read(ctx)
	if err != nil {
		return fmt.Errorf("read database before publishing: %w", err)
	}
	was, err := p.Diff.From.Adopt(p.basis.database)
	if err != nil {
		return fmt.Errorf("adopt database: %w", err)
	}
	now, err := p.Diff.From.Adopt(def)
	if err != nil {
		return fmt.Errorf("adopt database: %w", err)
	}
	if now.Version() != was.Version() {
		return fmt.Errorf("%w: the database is another one than when the plan was made", ErrPlanChanged)
	}
	return nil
}

// newest asks the journal whether the design has changed since.
func (d *Designer) newest(ctx context.Context, b basis) error {
	d.mu.RLock()
	sh := d.shared
	if sh == nil || sh.journal == nil {
		defer d.mu.RUnlock()
		if b.shared && sh == nil {
			return errLeft
		}
		if sh != nil {
			return sh.readOnly()
		}
		return nil
	}
	j := sh.journal
	d.mu.RUnlock()
	ctx, cancel := context.WithTimeout(ctx, teamPatience)
	defer cancel()
	var changed error
	err := j.Read(ctx, b.at, func(e journal.Entry) error {
		te, err := decodeTeamEntry(e.Body)
		if err == nil && len(te.Steps) == 0 {
			return nil // such as the report of a publish to another database
		}
		changed = fmt.Errorf("%w: %s has changed team design %q meanwhile, in entry %d", ErrPlanChanged, orSomebody(te.Author), j.Name(), e.Seq)
		return changed
	})
	if err == nil || changed != nil {
		return changed
	}
	return teamRefusal(err)
}

// holder says to others who publishes.
func (d *Designer) holder() string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	who, host := "berth", "this machine"
	if d.shared != nil {
		who = d.shared.record.Author
	}
	if name, err := os.Hostname(); err == nil {
		host = name
	}
	if !strings.Contains(who, "@") {
		who += "@" + host
	}
	return fmt.Sprintf("%s, process %d", who, os.Getpid())
}
