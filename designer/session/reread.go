package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// ErrDialectChanged means that a connection now leads to a different kind of
// database than its design, which has changes of its own, is for.
var ErrDialectChanged = errors.New("the connection's kind of database has changed under a design with changes of its own")

// originDatabase is the origin of changes found by a re-read.
const originDatabase = "database"

// OriginFile is the origin of steps imported from the design's own file.
const OriginFile = "file"

// Refresh reads the database again and brings the design up to date:
//
//   - The database has not changed: nothing happens.
//   - The database was changed to what the design is: the design is synced.
//   - The design has no changes of its own: it becomes what the database is;
//     objects with the same name keep their id.
//   - Both changed: if nothing conflicts, the changes are merged. Otherwise the
//     design is unchanged and drifted from then on; see [Designer.Rebase].
//   - A publish was interrupted: it is settled if the database shows its
//     outcome; otherwise the next publish resumes it.
//
// A design that a team shares does not follow the database: it is drifted until
// a person takes the changes over, see [Designer.Rebase].
//
// None of this is an undo step. The steps of the edits are rebased onto the new
// database: undoing all of them leads to it. Undo refuses a step that cannot be
// reverted on the new database.
//
// The error is Source.Read's or the pipeline's; the design is then as it was.
func (d *Designer) Refresh(ctx context.Context, src Source) (Outcome, error) {
	if src.ID() != d.id {
		return Outcome{}, fmt.Errorf("refresh design of connection %q: connection %q was given", d.id, src.ID())
	}
	_, out, err := d.refresh(ctx, src)
	return out, err
}

// refresh is Refresh that also returns what was read.
func (d *Designer) refresh(ctx context.Context, src Source) (designer.Definition, Outcome, error) {
	def, seen, err := d.read(ctx, src)
	if err != nil {
		return def, Outcome{}, fmt.Errorf("read database of connection %q: %w", src.Name(), err)
	}
	out, err := d.run(ctx, request{event: Refreshed, origin: originDatabase, reads: true,
		play: func(s *designer.Schema, p *playResult) error { return d.playRead(s, p, src, def) }})
	if err == nil {
		d.recordSight(seen)
	}
	return def, out, err
}

// show makes the design the active one and updates it to what was read. With
// readErr set it is shown as stored.
func (d *Designer) show(ctx context.Context, src Source, def designer.Definition, readErr error, activate bool) error {
	d.prepare(src, readErr)
	_, err := d.run(ctx, request{event: Shown, origin: originDatabase, reads: true,
		play: func(s *designer.Schema, p *playResult) error {
			p.show = activate
			if readErr != nil {
				return nil
			}
			return d.playRead(s, p, src, def)
		}})
	return err
}

// prepare readies d for the pipeline: a design shown for the first time gets
// an empty model, which playRead replaces.
func (d *Designer) prepare(src Source, readErr error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readErr = readErr
	d.plans, _ = src.(planner)
	if d.row.id == 0 || src.Dialect().Name == d.row.dialect {
		d.dialect = src.Dialect()
	}
	if d.row.id == 0 {
		d.schema = designer.New(d.dialect, nil)
	}
}

// playRead adopts what was read, as described at [Designer.Refresh].
func (d *Designer) playRead(s *designer.Schema, p *playResult, src Source, def designer.Definition) error {
	p.row.name, p.row.target = src.Name(), src.Target()
	d.plans, _ = src.(planner)
	if d.shared != nil {
		return d.playReadShared(s, p, src, def)
	}
	own := d.row.version != d.row.baseVersion
	if d.row.id == 0 || !own && d.repointed(src, def) {
		return d.playNew(p, src, def)
	}
	if src.Dialect().Name != d.row.dialect {
		return fmt.Errorf("%w: %s before, %s now", ErrDialectChanged, d.row.dialect, src.Dialect().Name)
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
	switch published := seen == d.row.version; {
	case own && published:
		return d.playMade(s, p, def, next)
	case own && d.row.baseVersion == seen:
		return d.playCatalog(s, p, def, next)
	case own:
		_, err := d.playDrift(s, p, def, nil)
		return err
	case published && (d.row.steps != noSteps || s.ChangeTo(next).Empty()):
		// Nothing significant has changed. Insignificant changes, such as the
		// order of columns, are not worth losing the undo steps.
		if sameCatalog(s, next) {
			return nil
		}
		return p.rebase(def, next)
	default:
		return d.playFollow(s, p, def, next)
	}
}

// repointed reports whether the connection now leads to a database that the
// model cannot belong to.
func (d *Designer) repointed(src Source, def designer.Definition) bool {
	return src.Dialect().Name != d.row.dialect || defaultSchema(src, def) != d.row.defaultSchema
}

// defaultSchema is what an empty schema name means: what the server said, whose
// search_path may be set for a database or a role, else what the connection
// says.
func defaultSchema(src Source, def designer.Definition) string {
	return cmp.Or(def.DefaultSchema, src.DefaultSchema())
}

// playNew creates a model from what was read.
func (d *Designer) playNew(p *playResult, src Source, def designer.Definition) error {
	next, err := designer.Build(src.Dialect(), def, &designer.Options{NewID: d.m.opts.NewID,
		DefaultSchema: defaultSchema(src, def)})
	if err != nil {
		return fmt.Errorf("build schema: %w", err)
	}
	p.next = next
	p.row.dialect, p.row.defaultSchema = src.Dialect().Name, defaultSchema(src, def)
	p.row.seenVersion, p.row.steps = next.Version(), noSteps
	return p.rebase(def, next)
}

// playFollow changes the design to what the database has become.
func (d *Designer) playFollow(s *designer.Schema, p *playResult, def designer.Definition, next *designer.Schema) error {
	before, err := d.copyOf(s)
	if err != nil {
		return err
	}
	return d.playJoined(s, p, def, before, next, &merge.Result{Design: next, Database: next})
}

// playCatalog adopts the views, routines and triggers of a database whose tables
// are as they were: what depends on the tables decides what can be published.
func (d *Designer) playCatalog(s *designer.Schema, p *playResult, def designer.Definition, next *designer.Schema) error {
	if sameCatalog(s, next) {
		return nil
	}
	base, err := d.storedBase()
	if err != nil {
		return err
	}
	if next, err = base.Adopt(def); err != nil { // by the names of before the edits
		return fmt.Errorf("adopt database: %w", err)
	}
	return p.rebase(def, next)
}

// playMade adopts a database that others have changed to what the design is.
// The effects of the steps are now part of the database and stay when the steps
// are undone.
func (d *Designer) playMade(s *designer.Schema, p *playResult, def designer.Definition, next *designer.Schema) error {
	base, err := d.storedBase()
	if err != nil {
		return err
	}
	if err := d.moveSteps(p, s, base, next, s); err != nil {
		return err
	}
	return p.rebase(def, next)
}

// rebase adopts a database read, def, as the base; next is its model.
func (p *playResult) rebase(def designer.Definition, next *designer.Schema) (err error) {
	p.def, p.row.baseVersion = def, next.Version()
	p.base, err = encodeBase(def, next)
	return err
}

func sameCatalog(a, b *designer.Schema) bool {
	x, y := a.Catalog(), b.Catalog()
	x.Types, y.Types = nil, nil // which are part of the design
	return reflect.DeepEqual(x, y)
}
