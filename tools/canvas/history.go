package canvas

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// Bounds of GET /designs/{connection}/history.
const (
	defaultSteps  = 100
	maxSteps      = 1000
	maxStepTables = 200 // with the tables of each
)

type history struct {
	Version string         `json:"version"`
	Undo    []historyStep  `json:"undo"`
	Redo    []session.Step `json:"redo"`
}

type historyStep struct {
	session.Step
	Tables []tableStates `json:"tables,omitempty"`
}

// tableStates is a table before and after a step; nil where it was not there.
type tableStates struct {
	ID     designer.ID     `json:"id"`
	Before *designer.Table `json:"before,omitempty"`
	After  *designer.Table `json:"after,omitempty"`
}

// History is what can be undone and redone, the next one first; with tables
// also what each undo step did. limit 0: 100.
func (c *Canvas) History(ctx context.Context, id string, limit int, tables bool) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	most := maxSteps
	if tables {
		most = maxStepTables
	}
	switch {
	case limit == 0:
		limit = defaultSteps
	case limit < 0 || limit > most:
		return nil, invalid(fmt.Sprintf("limit is %d, want 1 to %d", limit, most))
	}
	undo, redo, err := d.History(ctx, limit)
	if err != nil {
		return nil, err
	}
	body := history{Version: d.Version(), Undo: []historyStep{}, Redo: append([]session.Step{}, redo...)}
	if !tables {
		for _, s := range undo {
			body.Undo = append(body.Undo, historyStep{Step: s})
		}
		return body, nil
	}
	past, version, err := d.Past(ctx, limit)
	body.Version = version
	for _, s := range past {
		step := historyStep{Step: s.Step}
		for _, t := range s.Tables {
			step.Tables = append(step.Tables, statesOf(t))
		}
		body.Undo = append(body.Undo, step)
	}
	return body, err
}

func statesOf(t session.TableStates) tableStates {
	s := tableStates{Before: t.Before, After: t.After}
	if t.Before != nil {
		s.ID = t.Before.ID
	} else {
		s.ID = t.After.ID
	}
	return s
}
