package session

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// Changes of the database that a design follows automatically are not undo
// steps. Instead the existing steps are rebased: each becomes what it would
// have been if the edit had been made on top of the current database. So undo
// reverts only the edit and leads, at the end, to the database.

// barrier is the step at which undo or redo stops, and why: the database no
// longer has what the state beyond it needs. The step itself is not kept.
type barrier struct {
	Step        int64  `json:"step"` // its number
	Batch       string `json:"batch"`
	Description string `json:"description"`
	Reason      string `json:"reason"`
}

// barriers are those of a design; nil: none.
type barriers struct {
	Undo *barrier `json:"undo,omitempty"` // before the oldest step kept
	Redo *barrier `json:"redo,omitempty"` // after the newest one
}

// barriersDocument is the name of the document that stores them.
const barriersDocument = "undo_barriers"

// moveSteps rebases the steps of a design from before, the database that it was
// based on, onto after. s is the design merged with what changed. All have
// their ids from one source.
func (d *Designer) moveSteps(p *playResult, s, before, after, joined *designer.Schema) error {
	at := d.row.steps
	if at.done()+at.undone() == 0 {
		return nil
	}
	var rows []stepRow
	err := d.m.store.read(background, func(r reader) (err error) {
		rows, err = r.steps(d.row.id, at.first, at.last)
		return err
	})
	if err != nil {
		return err
	}
	p.barriers = &barriers{Undo: d.barriers.Undo, Redo: d.barriers.Redo}
	for _, back := range []bool{true, false} {
		way := slices.DeleteFunc(slices.Clone(rows), func(r stepRow) bool { return (r.seq <= at.top) != back })
		if back {
			slices.Reverse(way)
		}
		own, err := d.copyOf(joined)
		if err != nil {
			return err
		}
		stop, err := p.moveWay(way, pastTables{s, map[designer.ID]*designer.Table{}}, merge.NewRebase(before, after, own), back)
		if err != nil {
			return err
		}
		p.stopAt(stop, back)
	}
	return nil
}

// stopAt stops undo or redo before a step; nil: nothing stops it.
func (p *playResult) stopAt(stop *barrier, back bool) {
	switch {
	case stop == nil:
	case back:
		p.barriers.Undo, p.row.steps.first = stop, stop.Step+1
	default:
		p.barriers.Redo, p.row.steps.last = stop, stop.Step-1
	}
}

// endSteps stops undo and redo at the current design: c, which merging removed,
// could not be restored with what it needs.
func (p *playResult) endSteps(at stack, c merge.Conflict) {
	stop := barrier{Description: "the edits before a person chose between design and database",
		Reason: fmt.Sprintf("In table %s.%s, %s was removed, for what it needs was dropped", c.Table.Schema, c.Table.Name, c.Part)}
	p.moved = nil
	if at.done() > 0 {
		p.stopAt(&barrier{Step: at.top, Description: stop.Description, Reason: stop.Reason}, true)
	}
	if at.undone() > 0 {
		p.stopAt(&barrier{Step: at.top + 1, Description: stop.Description, Reason: stop.Reason}, false)
	}
}

// moveWay rebases the steps that undo (back) or redo would take from a state of
// the design, one after the other, up to the first that cannot be rebased.
func (p *playResult) moveWay(way []stepRow, state pastTables, rebase *merge.Rebase, back bool) (*barrier, error) {
	for _, row := range way {
		stop := &barrier{Step: row.seq, Batch: row.batch, Description: row.description}
		c, err := decodeChange(row.change, state, back)
		if err != nil {
			stop.Reason = "The step as it is stored does not fit the design"
			return stop, nil
		}
		if back {
			c = c.Inverse()
		}
		for _, tc := range c.Tables {
			state.over[tc.ID()] = tc.After
		}
		moved, refusal := rebase.Change(c)
		if refusal != nil {
			stop.Reason = refusal.Message
			return stop, nil
		}
		if back {
			moved = moved.Inverse()
		}
		text, err := encodeChange(moved)
		if err != nil {
			return nil, err
		}
		if text != row.change {
			row.change = text
			p.moved = append(p.moved, row)
		}
	}
	return nil, nil
}

// barrierLocked returns what stops undo or redo at the end of the stack; nil:
// there are no more steps.
func (d *Designer) barrierLocked(back bool) *barrier {
	at := d.row.steps
	if b := d.barriers.Undo; back && b != nil && b.Step == at.first-1 {
		return b
	}
	if b := d.barriers.Redo; !back && b != nil && b.Step == at.last+1 {
		return b
	}
	return nil
}

// keptByEarlier returns a barrier for a step that an earlier version recorded
// for a change of the database; nil: it is an edit.
func keptByEarlier(row stepRow) *barrier {
	if row.origin != originDatabase {
		return nil
	}
	return &barrier{Step: row.seq, Batch: row.batch, Description: row.description,
		Reason: "it is not an edit but a change of the database, recorded as a step by an earlier version"}
}

// refusal returns the error that says why undo or redo stops here, and how far
// it could go.
func (b *barrier) refusal(verb string, have int) *designer.Error {
	return &designer.Error{Reason: designer.ValidationError,
		Message: fmt.Sprintf("Cannot %s %q: %s. The database was changed elsewhere since; steps that can be taken before it: %d",
			verb, b.Description, b.Reason, have)}
}

// forgetUndone removes the barrier of redo: a new step replaces it.
func (e *entry) forgetUndone(b barriers) {
	switch {
	case e.barriers != nil:
		e.barriers.Redo = nil
	case b.Redo != nil:
		e.barriers = &barriers{Undo: b.Undo}
	}
}

func (w *writer) noteBarriers(e *entry) error {
	if e.barriers == nil {
		return nil
	}
	body, err := encode(e.barriers)
	if err != nil {
		return err
	}
	return w.exec(upsertDocument, e.row.id, barriersDocument, 1, body)
}

// barriers reads the barriers of a design. If they cannot be read, the design
// is still usable: undo then stops without a reason.
func (r reader) barriers(design int64) (b barriers, err error) {
	body, _, err := r.document(design, barriersDocument)
	if err == nil && body != "" && json.Unmarshal([]byte(body), &b) != nil {
		return barriers{}, nil
	}
	return b, err
}
