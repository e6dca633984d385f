package session

import (
	"context"
	"errors"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// request is one thing asked of a design. Whatever changes a design is one:
// edits, undo, redo, and a re-read of the database.
type request struct {
	event    EventType
	origin   string
	expected string           // version the caller last saw; "": any
	hint     *designer.Target // database the caller means; nil: any
	dryRun   bool
	// play changes the model and says in p what it did, p.changes before
	// all. What it cannot do for reasons of the caller's is p.refusal; an
	// error takes back what it did.
	play func(s *designer.Schema, p *played) error
}

// played is what play did.
type played struct {
	row     designRow         // of the design as it is to be; the version follows from the model
	changes []designer.Change // as they stand in the model now, in order
	record  bool              // each change is a new undo step,
	brought int               // but so many of the first, which are no one's edits
	batch   string
	applied int             // how many of what was asked for are done
	failed  int             // index of the one refused; -1: none
	refusal *designer.Error // why
	// next takes the model's place when committed; nil: it was changed.
	next *designer.Schema
	base *baseRecord         // a database to take over; nil: none
	def  designer.Definition // what base was made of
	show bool                // make the design the active one
	// settled forgets the record of a publish: it is known what became of it.
	settled bool
	// moved are the steps that are other ones on top of a database that has
	// changed; barriers, nil: as they were, where undo and redo end for that.
	moved    []stepRow
	barriers *barriers
	stop     *barrier // where undo or redo did not go on
	notes    []string // beside the warnings of changes
	// tookBack is what changes took back of edits; nil: none, or nobody asked.
	tookBack *TookBack
}

// idle reports whether there is nothing to commit.
func (p *played) idle(before designRow) bool {
	return len(p.changes) == 0 && p.next == nil && p.base == nil && len(p.moved) == 0 && !p.show && !p.settled && p.row == before
}

// Outcome is what came of a request. It is computed from the model as
// committed, never from the request.
type Outcome struct {
	Version     string           // of the design now, whatever came of the request
	Applied     int              // edits applied, steps undone or redone
	FailedIndex int              // of the edit refused; -1: none, or the request as a whole
	Err         *designer.Error  // the refusal; nil: all was done
	Changes     designer.Changes // what was done, also before a refusal
	Warnings    []string
	BatchID     string // "": nothing was committed, or steps of several batches
	DryRun      bool   // Changes and Warnings are what would be; nothing was done
	TookBack    *TookBack
}

// run is the pipeline, the one way in which a design changes:
//
//	check target and version → play → journal → version → event
//
// The error is for what kept it from doing its work: a context that ended
// before it began, [ErrClosed], a [*StateError]. The design is then as it was.
func (d *Designer) run(ctx context.Context, req request) (Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	if err := d.loadLocked(); err != nil {
		return Outcome{}, err
	}
	if refusal := d.checkLocked(req); refusal != nil {
		return Outcome{Version: d.row.version, FailedIndex: -1, Err: refusal}, nil
	}
	p := &played{row: d.row, failed: -1}
	defer d.distrustAfterPanicLocked()
	if err := req.play(d.schema, p); err != nil {
		d.revertLocked(p)
		return Outcome{}, err
	}
	out := d.outcomeLocked(req, p)
	if req.dryRun {
		d.revertLocked(p)
		return out, nil
	}
	if p.idle(d.row) {
		return out, nil
	}
	if err := d.commitLocked(ctx, req, p, &out); err != nil {
		d.revertLocked(p)
		return Outcome{}, err
	}
	return out, nil
}

// checkLocked compares what the caller knows with what is: the database
// first, for a version means nothing in another one.
func (d *Designer) checkLocked(req request) *designer.Error {
	if req.hint != nil && !sameTarget(*req.hint, d.row.target) {
		return &designer.Error{Reason: designer.TargetMismatch,
			Message: "Active schema designer does not match targetHint"}
	}
	if req.expected != "" && req.expected != d.row.version {
		return &designer.Error{Reason: designer.StaleState,
			Message: "Schema changed since last read"}
	}
	return nil
}

// sameTarget compares as the contract has it: trimmed, case aside.
func sameTarget(a, b designer.Target) bool {
	same := func(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }
	return same(a.Server, b.Server) && same(a.Database, b.Database)
}

func (d *Designer) outcomeLocked(req request, p *played) Outcome {
	out := Outcome{Version: d.row.version, Applied: p.applied, FailedIndex: p.failed,
		Err: p.refusal, DryRun: req.dryRun, TookBack: p.tookBack}
	if p.next == nil {
		out.Changes = designer.Summarize(d.schema, p.changes)
		out.Warnings = append(d.schema.Warnings(p.changes), p.notes...)
	}
	return out
}

// revertLocked takes back what play did to the model.
func (d *Designer) revertLocked(p *played) {
	if p.next != nil {
		return // the model was not touched
	}
	for i := len(p.changes) - 1; i >= 0; i-- {
		d.schema.Undo(p.changes[i])
	}
	p.changes = nil
}

// distrustAfterPanicLocked makes the next caller read the model from the
// store again: a panic may have left it anywhere.
func (d *Designer) distrustAfterPanicLocked() {
	if cause := recover(); cause != nil {
		d.schema = nil
		panic(cause)
	}
}

// commitLocked writes what play did and tells everyone. On error neither the
// store nor d has changed, but for the model.
func (d *Designer) commitLocked(ctx context.Context, req request, p *played, out *Outcome) error {
	e, err := d.entryLocked(req, p)
	if err != nil {
		return err
	}
	event := Event{Type: req.event, ConnectionID: d.id, Version: e.row.version,
		Origin: req.origin, BatchID: p.batch, Previous: d.row.version, TookBack: p.tookBack,
		Standing: &Standing{Sync: e.row.sync(), UndoSteps: e.row.steps.done(), RedoSteps: e.row.steps.undone()}}
	if len(p.changes) > 0 && p.next == nil {
		event.Changes = new(out.Changes)
		event.carry(d.schema, p.changes)
	}
	write := func(w *writer) (err error) {
		if err = w.journal(e, d.row.steps); err != nil {
			return err
		}
		if err = errors.Join(w.noteTookBack(e), w.noteBarriers(e)); err != nil {
			return err
		}
		event.Seq, err = w.event()
		return err
	}
	return d.m.store.write(ctx, write, func() {
		d.takeLocked(e, p)
		out.Version, out.BatchID = e.row.version, p.batch
		if p.show {
			d.m.activate(d)
		}
		d.m.hub.publish(event)
	})
}

// takeLocked makes d what the store now says.
func (d *Designer) takeLocked(e *entry, p *played) {
	d.row = e.row
	if e.tookBack != nil {
		d.tookBack = e.tookBack
	}
	if e.barriers != nil {
		d.barriers = *e.barriers
	}
	if p.next != nil {
		d.schema, d.dialect = p.next, p.next.Dialect()
	}
	if p.settled {
		d.pending = nil
	}
	if p.base != nil {
		d.schema.SetCatalog(designer.Catalog{Schemas: p.def.Schemas, Views: p.def.Views, Objects: p.def.Objects})
	}
}

// entryLocked renders what play did as rows: the tables touched and no
// others, so that its size is that of the change.
func (d *Designer) entryLocked(req request, p *played) (*entry, error) {
	e := &entry{row: p.row, base: p.base, show: p.show, settled: p.settled,
		moved: p.moved, barriers: p.barriers}
	s := d.schema
	if p.next != nil {
		s, e.wipe = p.next, true
	}
	if e.row.steps == noSteps && d.row.steps != noSteps {
		e.barriers = &barriers{}
	}
	e.row.version, e.row.tables = s.Version(), s.Len()
	if err := e.addTables(s, p); err != nil {
		return nil, err
	}
	if !p.record {
		return e, nil
	}
	if err := e.push(p, req.origin, d.m.opts); err != nil {
		return nil, err
	}
	e.addTookBack(d.tookBack, p.tookBack)
	e.forgetUndone(d.barriers)
	return e, nil
}

func (e *entry) addTables(s *designer.Schema, p *played) (err error) {
	if p.next != nil {
		e.put, err = encodeTables(s.Tables())
		return err
	}
	for _, id := range touched(p.changes) {
		t := s.ByID(id)
		if t == nil {
			e.drop = append(e.drop, id)
			continue
		}
		row, err := encodeTable(t)
		if err != nil {
			return err
		}
		e.put = append(e.put, row)
	}
	return nil
}

// touched lists the tables of changes, each once.
func touched(changes []designer.Change) []designer.ID {
	var list []designer.ID
	seen := map[designer.ID]bool{}
	for _, c := range changes {
		for _, tc := range c.Tables {
			if id := tc.ID(); !seen[id] {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list
}
