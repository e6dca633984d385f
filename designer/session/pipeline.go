package session

import (
	"context"
	"errors"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// request is one operation on a design. Everything that changes a design is a
// request: edits, undo, redo, and a re-read of the database.
type request struct {
	event    EventType
	origin   string
	client   string           // the program that asks, as it calls itself
	expected string           // version the caller last saw; "": any
	hint     *designer.Target // database the caller means; nil: any
	dryRun   bool
	local    bool // changes nothing that a team shares
	reads    bool // brings what was read of the database; goes through without a team's broker
	offline  bool // likewise, and the broker is not asked
	// play changes the model and records in p what it did, above all in
	// p.changes. It sets p.refusal for mistakes of the caller; if it returns an
	// error, its changes are reverted.
	play func(s *designer.Schema, p *playResult) error
}

// playResult is the result of play.
type playResult struct {
	row     designRow         // the design's new row; the version is computed from the model
	changes []designer.Change // as they stand in the model now, in order
	record  bool              // each change is a new undo step,
	brought int               // except the first ones, which nobody edited
	batch   string
	applied int             // number of requested operations that were done
	failed  int             // index of the one refused; -1: none
	refusal *designer.Error // why
	// next replaces the model on commit; nil: the model was changed in place.
	next *designer.Schema
	base *baseRecord         // a database to adopt; nil: none
	def  designer.Definition // what base was made of
	show bool                // make the design the active one
	// settled deletes the record of a publish, because its outcome is known.
	settled bool
	// moved are the steps that differ on top of a changed database; barriers,
	// nil if unchanged, are where undo and redo stop because of that.
	moved    []stepRow
	barriers *barriers
	stop     *barrier // where undo or redo stopped
	notes    []string // in addition to the warnings of changes
	// fileRevert describes the edits reverted by changes; nil: none, or not
	// requested.
	fileRevert *FileRevert
	shared     sharedResult // in a team
	offline    bool         // the team's broker is not asked
}

// idle reports whether there is nothing to commit.
func (p *playResult) idle(before designRow) bool {
	return len(p.changes) == 0 && p.next == nil && p.base == nil && len(p.moved) == 0 && !p.show && !p.settled && p.shared.record == nil && !p.shared.leaves && p.row == before
}

// Outcome is the result of a request. It is computed from the committed model,
// never from the request.
type Outcome struct {
	Version     string           // of the design now, whatever the result of the request
	Previous    string           // version before the request
	Applied     int              // edits applied, steps undone or redone
	FailedIndex int              // of the edit refused; -1: none, or the request as a whole
	Err         *designer.Error  // the refusal; nil: all was done
	Changes     designer.Changes // what was done, including before a refusal
	Warnings    []string
	BatchID     string // "": nothing was committed, or steps of several batches
	DryRun      bool   // Changes and Warnings are hypothetical; nothing was done
	// Words says each change of a dry run, see [designer.Change.Words]. They are
	// for the question to a person that comes before the real one.
	Words      []string
	FileRevert *FileRevert
}

// run is the pipeline through which every change of a design goes:
//
//	check target and version → play → journal → version → event
//
// It returns an error if it could not do its work: that of a context that ended
// before it began, [ErrClosed] or a [*StateError]. The design is then
// unchanged.
func (d *Designer) run(ctx context.Context, req request) (Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	if err := d.loadLocked(); err != nil {
		return Outcome{}, err
	}
	if d.shared != nil && !req.local {
		return d.runSharedLocked(ctx, req)
	}
	if refusal := d.checkLocked(req); refusal != nil {
		return Outcome{Version: d.row.version, FailedIndex: -1, Err: refusal}, nil
	}
	p := &playResult{row: d.row, failed: -1}
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

// checkLocked compares what the caller knows with the design: the target first,
// because a version means nothing for another database.
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

// sameTarget compares as the contract requires: trimmed and ignoring case.
func sameTarget(a, b designer.Target) bool {
	same := func(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }
	return same(a.Server, b.Server) && same(a.Database, b.Database)
}

func (d *Designer) outcomeLocked(req request, p *playResult) Outcome {
	out := Outcome{Version: d.row.version, Previous: d.row.version, Applied: p.applied, FailedIndex: p.failed,
		Err: p.refusal, DryRun: req.dryRun, FileRevert: p.fileRevert}
	if p.next == nil {
		out.Changes = designer.Summarize(d.schema, p.changes)
		out.Warnings = append(d.schema.Warnings(p.changes), p.notes...)
		for i := 0; req.dryRun && i < len(p.changes); i++ {
			out.Words = append(out.Words, p.changes[i].Words(d.schema.Dialect()))
		}
	}
	return out
}

// revertLocked reverts the changes of play to the model.
func (d *Designer) revertLocked(p *playResult) {
	if p.next != nil {
		return // the model was not touched
	}
	for i := len(p.changes) - 1; i >= 0; i-- {
		d.schema.Undo(p.changes[i])
	}
	p.changes = nil
}

// distrustAfterPanicLocked makes the next caller load the model from the store
// again: a panic may have left it inconsistent.
func (d *Designer) distrustAfterPanicLocked() {
	if cause := recover(); cause != nil {
		d.schema, d.base = nil, nil
		panic(cause)
	}
}

// commitLocked writes the result of play and publishes the event. On error
// neither the store nor d has changed, except for the model.
func (d *Designer) commitLocked(ctx context.Context, req request, p *playResult, out *Outcome) error {
	e, err := d.entryLocked(req, p)
	if err != nil {
		return err
	}
	event := Event{Type: req.event, ConnectionID: d.id, Version: e.row.version,
		Origin: req.origin, Client: req.client, Author: p.shared.author, BatchID: p.batch, Previous: d.row.version, FileRevert: p.fileRevert,
		Status: d.statusAfterLocked(e)}
	if len(p.changes) > 0 && p.next == nil {
		event.Changes = new(out.Changes)
		event.carry(d.schema, p.changes)
	}
	write := func(w *writer) (err error) {
		if err = w.journal(e, d.row.steps); err != nil {
			return err
		}
		if err = errors.Join(w.saveFileReverts(e), w.noteBarriers(e), w.saveTypes(e), w.saveTeam(e)); err != nil {
			return err
		}
		if event.Seq, err = w.event(); err != nil {
			return err
		}
		return w.happened(e.row.id, event, d.m.opts.Now())
	}
	return d.m.store.write(ctx, write, func() {
		first := d.row.id == 0
		d.takeLocked(e, p)
		out.Version, out.BatchID = e.row.version, p.batch
		switch {
		case p.show:
			d.m.activate(d)
		case first:
			d.m.keep(d)
		}
		d.m.hub.publish(event)
	})
}

// takeLocked updates d to what was committed.
func (d *Designer) takeLocked(e *entry, p *playResult) {
	d.row = e.row
	if e.fileReverts != nil {
		d.fileReverts = e.fileReverts
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
	d.takeSharingLocked(e)
	if p.base != nil {
		d.base = nil
		d.schema.SetCatalog(designer.Catalog{Schemas: p.def.Schemas, Views: p.def.Views, Objects: p.def.Objects})
	}
}

// entryLocked converts the result of play to rows: only the changed tables, so
// that its size is proportional to the change.
func (d *Designer) entryLocked(req request, p *playResult) (*entry, error) {
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
	e.noteTypes(s, p)
	e.team, e.leaves = p.shared.record, p.shared.leaves
	if p.shared.steps != nil {
		e.replace, e.steps = true, *p.shared.steps
		return e, nil
	}
	if !p.record {
		return e, nil
	}
	if err := e.push(p, req, d.m.opts); err != nil {
		return nil, err
	}
	e.addFileRevert(d.fileReverts, p.fileRevert)
	e.forgetUndone(d.barriers)
	return e, nil
}

func (e *entry) addTables(s *designer.Schema, p *playResult) (err error) {
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

// touched returns the ids of the tables in changes, each once.
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
