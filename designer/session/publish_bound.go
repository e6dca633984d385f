package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/berth-dev/berth/designer/journal"
)

// errNotGuarded means that a database has run a plan without its lock.
var errNotGuarded = errors.New("the plan was run without the database's lock")

// basis is what a plan was made from.
type basis struct {
	database string // version of the database
	shared   bool   // the design is a team's
	at       journal.Position
}

// bound is a proposal that knows what it was made from. A shared design is
// published only while its journal can be asked whether it is the newest.
func (d *Designer) bound(ctx context.Context, db Database) (*Proposal, error) {
	def, err := d.reread(ctx, db)
	if err != nil {
		return nil, err
	}
	from := basis{}
	d.mu.RLock()
	if sh := d.shared; sh != nil {
		from.shared, from.at = true, sh.record.At
		if refusal := sh.readOnly(); refusal != nil {
			d.mu.RUnlock()
			return nil, refusal
		}
	}
	d.mu.RUnlock()
	p, err := d.propose(ctx, db, def)
	if err != nil {
		return nil, err
	}
	now, err := p.Diff.From.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	from.database = now.Version()
	p.basis = from
	return p, nil
}

// unchanged returns nil if a plan's journal and database are as they were when it
// was made; an error that says they are not wraps [ErrPlanChanged]. It is called
// with the database's lock held: another publish, which had it before, may have
// changed both.
func (d *Designer) unchanged(ctx context.Context, db Database, p *Proposal) error {
	if err := d.newest(ctx, p.basis); err != nil {
		return err
	}
	def, err := db.Read(ctx)
	if err != nil {
		return fmt.Errorf("read database before publishing: %w", err)
	}
	now, err := p.Diff.From.Adopt(def)
	if err != nil {
		return fmt.Errorf("adopt database: %w", err)
	}
	if now.Version() != p.basis.database {
		return fmt.Errorf("%w: the database is another one than when the publish began", ErrPlanChanged)
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
