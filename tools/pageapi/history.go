package pageapi

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// Bounds of GET /designs/{connection}/history.
const (
	defaultSteps  = 100
	maxSteps      = 10_000 // all that are kept
	maxStepTables = 200    // with the tables of each
)

// History is the body of GET /designs/{connection}/history.
type History struct {
	Version string         `json:"version"`
	Undo    []HistoryStep  `json:"undo"`
	Redo    []session.Step `json:"redo"`
	// Happened is what was done and is no step, the newest first.
	Happened []session.Happening `json:"happened"`
}

// HistoryStep is a step that can be undone.
type HistoryStep struct {
	session.Step
	Tables []TableStates `json:"tables,omitempty"`
}

// TableStates is a table before and after a step; nil where it was not there.
type TableStates struct {
	ID     designer.ID     `json:"id"`
	Before *designer.Table `json:"before,omitempty"`
	After  *designer.Table `json:"after,omitempty"`
}

// History is what can be undone and redone, the next one first, and what was
// done beside that; with tables also what each undo step did. limit 0: 100.
func (a *API) History(ctx context.Context, id string, limit int, tables bool) (History, error) {
	d, err := a.design(id)
	if err != nil {
		return History{}, err
	}
	most := maxSteps
	if tables {
		most = maxStepTables
	}
	switch {
	case limit == 0:
		limit = defaultSteps
	case limit < 0 || limit > most:
		return History{}, invalid(fmt.Sprintf("limit is %d, want 1 to %d", limit, most))
	}
	undo, redo, err := d.History(ctx, limit)
	if err != nil {
		return History{}, err
	}
	body := History{Version: d.Version(), Undo: []HistoryStep{}, Redo: append([]session.Step{}, redo...)}
	if body.Happened, err = d.Happened(ctx, limit); err != nil {
		return History{}, err
	}
	if !tables {
		for _, s := range undo {
			body.Undo = append(body.Undo, HistoryStep{Step: s})
		}
		return body, nil
	}
	past, version, err := d.Past(ctx, limit)
	body.Version = version
	for _, s := range past {
		step := HistoryStep{Step: s.Step}
		for _, t := range s.Tables {
			step.Tables = append(step.Tables, statesOf(t))
		}
		body.Undo = append(body.Undo, step)
	}
	return body, err
}

func statesOf(t session.TableStates) TableStates {
	s := TableStates{Before: t.Before, After: t.After}
	if t.Before != nil {
		s.ID = t.Before.ID
	} else {
		s.ID = t.After.ID
	}
	return s
}
