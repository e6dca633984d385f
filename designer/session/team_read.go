package session

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// playReadShared adopts what was read for a design that a team shares: what
// the database is, is this host's own matter. The design changes by it only
// where an interrupted publish is settled, which is an entry like others.
func (d *Designer) playReadShared(s *designer.Schema, p *playResult, src Source, def designer.Definition) error {
	if src.Dialect().Name != d.row.dialect {
		return fmt.Errorf("%w: %s before, %s now", ErrDialectChanged, d.row.dialect, src.Dialect().Name)
	}
	if d.making || d.pending != nil && (p.offline || d.shared.readOnly() != nil) {
		return nil // a later look settles it
	}
	if done, err := d.playPending(s, p, def); done || err != nil {
		return err
	}
	next, err := s.Adopt(def)
	if err != nil {
		return fmt.Errorf("adopt database: %w", err)
	}
	seen := next.Version()
	p.row.seenVersion = seen
	switch {
	case seen == d.row.version && (d.row.baseVersion != seen || !sameCatalog(s, next)):
		return p.rebase(def, next)
	case seen != d.row.version && d.row.baseVersion == seen:
		return d.playCatalog(s, p, def, next)
	case seen != d.row.version && d.row.baseVersion != seen:
		return d.playPublishedElsewhere(s, p, def)
	}
	return nil
}

// playPublishedElsewhere adopts a database to which another of the team has
// published: whatever has changed in it is in the design already.
func (d *Designer) playPublishedElsewhere(s *designer.Schema, p *playResult, def designer.Definition) error {
	base, err := d.storedBase()
	if err != nil {
		return err
	}
	merged, err := merge.Definition(base, s, def, nil)
	if err != nil {
		return err
	}
	if len(merged.Conflicts) > 0 || !s.ChangeTo(merged.Design).Empty() {
		return nil // drifted, until a person takes it over
	}
	err = p.rebase(def, merged.Database)
	p.row.seenVersion = p.row.baseVersion
	return err
}
