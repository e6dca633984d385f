package pageapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// documentLayout is the document that pages keep with a design.
const documentLayout = "layout"

// maxPositions bounds a layout: twice the largest design that is drawn.
const maxPositions = 20_000

// Position is where a table lies, in the canvas's own units.
type Position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	// Collapsed is whether only its title is shown.
	Collapsed bool `json:"collapsed,omitempty"`
}

// Layout is the body of GET /designs/{connection}/layout.
type Layout struct {
	Counter   int64                    `json:"counter"` // how often it was written
	Positions map[designer.ID]Position `json:"positions"`
}

// Layout is where the tables of a design lie.
func (a *API) Layout(ctx context.Context, id string) (Layout, error) {
	d, err := a.design(id)
	if err != nil {
		return Layout{}, err
	}
	text, counter, err := d.Document(ctx, documentLayout)
	if err != nil {
		return Layout{}, err
	}
	positions, err := readPositions(text)
	return Layout{counter, positions}, err
}

func readPositions(text string) (map[designer.ID]Position, error) {
	positions := map[designer.ID]Position{}
	if text == "" {
		return positions, nil
	}
	if err := json.Unmarshal([]byte(text), &positions); err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	return positions, nil
}

// LayoutChange is what a page asks of a layout, and what the others are told.
type LayoutChange struct {
	Positions map[designer.ID]*Position `json:"positions"` // nil: forget where it lies
	Replace   bool                      `json:"replace"`   // forget all others
}

// LayoutRequest is the body of PUT /designs/{connection}/layout: to move tables,
// or to fill in those that lie nowhere yet.
type LayoutRequest struct {
	LayoutChange
	// Fill takes a position for tables only that have none: a page that places
	// them by itself must not undo what a person did at another.
	Fill bool `json:"fill"`
}

// SetLayout moves tables. What it does not name stays where it is, so that two
// pages which move different tables keep both. The reply to one that fills says
// where those tables lie that had their place already.
func (a *API) SetLayout(ctx context.Context, id string, to LayoutRequest) (LayoutReply, error) {
	d, err := a.design(id)
	if err != nil {
		return LayoutReply{}, err
	}
	if to.Fill && to.Replace {
		return LayoutReply{}, invalid("fill keeps what is there and replace forgets it; ask for one of them")
	}
	stood := map[designer.ID]Position{}
	counter, err := d.SetDocument(ctx, documentLayout, func(text string) (string, error) {
		if to.Fill {
			if err := to.leave(text, stood); err != nil {
				return "", err
			}
		}
		return to.applied(text)
	})
	if err != nil {
		return LayoutReply{}, keepError(err)
	}
	if to.Positions == nil {
		to.Positions = map[designer.ID]*Position{}
	}
	a.opts.Announce(struct {
		Type         string `json:"type"`
		ConnectionID string `json:"connectionId"`
		Counter      int64  `json:"counter"`
		LayoutChange
	}{documentLayout, id, counter, to.LayoutChange})
	reply := LayoutReply{Counter: counter}
	if to.Fill {
		reply.Positions = stood
	}
	return reply, nil
}

// LayoutReply answers a [LayoutRequest].
type LayoutReply struct {
	Counter int64 `json:"counter"`
	// Positions are those of a request to fill that had their place already.
	Positions map[designer.ID]Position `json:"positions,omitzero"`
}

// leave removes those tables that the layout has a position for, and records
// where they lie.
func (c LayoutChange) leave(text string, stood map[designer.ID]Position) error {
	positions, err := readPositions(text)
	for id := range c.Positions {
		if p, ok := positions[id]; ok {
			stood[id] = p
			delete(c.Positions, id)
		}
	}
	return err
}

// applied returns the layout that follows from the one there was.
func (c LayoutChange) applied(text string) (string, error) {
	positions := map[designer.ID]Position{}
	if !c.Replace {
		var err error
		if positions, err = readPositions(text); err != nil {
			return "", err
		}
	}
	for id, p := range c.Positions {
		if p == nil {
			delete(positions, id)
		} else {
			positions[id] = *p
		}
	}
	if len(positions) > maxPositions {
		return "", &Error{"too_large", fmt.Sprintf("a layout holds at most %d positions; forget those of tables that are gone", maxPositions)}
	}
	out, err := json.Marshal(positions)
	return string(out), err
}

// keepError words what a page can do something about.
func keepError(err error) error {
	var refusal *Error
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.Is(err, session.ErrDocumentTooLarge):
		return &Error{"too_large", session.ErrDocumentTooLarge.Error()}
	case errors.Is(err, session.ErrClosed):
		return &Error{"shutting_down", "the instance is shutting down"}
	}
	return err
}
