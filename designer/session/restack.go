package session

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// What changes in the database and comes into a design by itself is no undo
// step. The steps are moved instead: each becomes what it would have been, had
// the edit been made on top of what the database is now. So undo takes back
// the edit and nothing else, and leads, at the end, to the database.

// barrier is the step at which undo or redo ends, and why: the database took
// away what the state beyond it needs. The step itself is not kept.
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

// barriersDocument is what they are kept under.
const barriersDocument = "undo_barriers"

// moveSteps moves the steps of a design from before, the database that it was
// made on, to after. s is the design as it is, joined with what changed. All
// have their ids from one source.
func (d *Designer) moveSteps(p *played, s, before, after, joined *designer.Schema) error {
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
		stop, err := p.moveWay(way, lookback{s, map[designer.ID]*designer.Table{}}, designer.NewRebase(before, after, own), back)
		if err != nil {
			return err
		}
		p.stopAt(stop, back)
	}
	return nil
}

// stopAt ends undo or redo before a step; nil: nothing keeps it from going on.
func (p *played) stopAt(stop *barrier, back bool) {
	switch {
	case stop == nil:
	case back:
		p.barriers.Undo, p.row.steps.first = stop, stop.Step+1
	default:
		p.barriers.Redo, p.row.steps.last = stop, stop.Step-1
	}
}

// endSteps ends undo and redo at the design as it is: c, which joining has
// removed, would not come back with what it needs.
func (p *played) endSteps(at stack, c designer.Conflict) {
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

// moveWay moves the steps that undo (back) or redo would take from a state of
// the design, one after the other, up to what cannot be moved.
func (p *played) moveWay(way []stepRow, state lookback, rebase *designer.Rebase, back bool) (*barrier, error) {
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

// barrierLocked returns what keeps undo or redo from going on at the end of
// the stack; nil: that is all there ever was.
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

// keptByEarlier returns the barrier that a step is which an earlier version
// made of what came from the database; nil: it is an edit.
func keptByEarlier(row stepRow) *barrier {
	if row.origin != originDatabase {
		return nil
	}
	return &barrier{Step: row.seq, Batch: row.batch, Description: row.description,
		Reason: "it is no edit but what came from the database, kept as a step by an earlier version"}
}

// refusal says why undo or redo ends here, and how far it could go.
func (b *barrier) refusal(verb string, have int) *designer.Error {
	return &designer.Error{Reason: designer.ValidationError,
		Message: fmt.Sprintf("Cannot %s %q: %s. The database was changed elsewhere since; steps that can be taken before it: %d",
			verb, b.Description, b.Reason, have)}
}

// forgetUndone drops the barrier of redo: a new step takes its place.
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

// barriers reads those of a design. What cannot be read is no reason not to
// have the design: undo then ends without saying why.
func (r reader) barriers(design int64) (b barriers, err error) {
	body, _, err := r.document(design, barriersDocument)
	if err == nil && body != "" && json.Unmarshal([]byte(body), &b) != nil {
		return barriers{}, nil
	}
	return b, err
}
