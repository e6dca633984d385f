package canvas

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// The documents that pages keep with a design.
const (
	documentLayout = "layout"
	documentReview = "review"
)

// maxPositions bounds a layout: twice the largest design that is drawn.
const maxPositions = 20_000

// maxReview bounds what a page keeps of its reviews.
const maxReview = 256 << 10

// position is where a table lies, in the canvas's own units.
type position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type layout struct {
	Counter   int64                    `json:"counter"` // how often it was written
	Positions map[designer.ID]position `json:"positions"`
}

// Layout is where the tables of a design lie.
func (c *Canvas) Layout(ctx context.Context, id string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	text, counter, err := d.Document(ctx, documentLayout)
	if err != nil {
		return nil, err
	}
	positions, err := readPositions(text)
	return layout{counter, positions}, err
}

func readPositions(text string) (map[designer.ID]position, error) {
	positions := map[designer.ID]position{}
	if text == "" {
		return positions, nil
	}
	if err := json.Unmarshal([]byte(text), &positions); err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	return positions, nil
}

// moved is what a page asks of a layout, and what the others are told.
type moved struct {
	Positions map[designer.ID]*position `json:"positions"` // nil: forget where it lies
	Replace   bool                      `json:"replace"`   // forget all others
}

// placed is what a page asks of a layout: to move tables, or to fill it.
type placed struct {
	moved
	// Fill takes a position for tables only that have none: a page that places
	// them by itself must not undo what a person did at another.
	Fill bool `json:"fill"`
}

// SetLayout moves tables. What it does not name stays where it is, so that two
// pages which move different tables keep both. The reply to one that fills says
// where those tables lie that had their place already.
func (c *Canvas) SetLayout(ctx context.Context, id string, body json.RawMessage) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var to placed
	if err := decode(body, &to); err != nil {
		return nil, err
	}
	if to.Fill && to.Replace {
		return nil, invalid("fill keeps what is there and replace forgets it; ask for one of them")
	}
	stood := map[designer.ID]position{}
	counter, err := d.SetDocument(ctx, documentLayout, func(text string) (string, error) {
		if to.Fill {
			if err := to.leave(text, stood); err != nil {
				return "", err
			}
		}
		return to.applied(text)
	})
	if err != nil {
		return nil, keepError(err)
	}
	if to.Positions == nil {
		to.Positions = map[designer.ID]*position{}
	}
	c.opts.Announce(struct {
		Type         string `json:"type"`
		ConnectionID string `json:"connectionId"`
		Counter      int64  `json:"counter"`
		moved
	}{documentLayout, id, counter, to.moved})
	if to.Fill {
		return layout{counter, stood}, nil
	}
	return counted{counter}, nil
}

// leave takes those tables out that the layout has a position for, and says
// where they stand.
func (m moved) leave(text string, stood map[designer.ID]position) error {
	positions, err := readPositions(text)
	for id := range m.Positions {
		if p, ok := positions[id]; ok {
			stood[id] = p
			delete(m.Positions, id)
		}
	}
	return err
}

type counted struct {
	Counter int64 `json:"counter"`
}

// applied makes the layout that follows from the one there was.
func (m moved) applied(text string) (string, error) {
	positions := map[designer.ID]position{}
	if !m.Replace {
		var err error
		if positions, err = readPositions(text); err != nil {
			return "", err
		}
	}
	for id, p := range m.Positions {
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

// Review is what pages keep of which steps a person has looked at.
func (c *Canvas) Review(ctx context.Context, id string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	text, counter, err := d.Document(ctx, documentReview)
	if text == "" {
		text = "{}"
	}
	return struct {
		Counter int64           `json:"counter"`
		Review  json.RawMessage `json:"review"`
	}{counter, json.RawMessage(text)}, err
}

// SetReview replaces it.
func (c *Canvas) SetReview(ctx context.Context, id string, body json.RawMessage) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var to struct {
		Review json.RawMessage `json:"review"`
	}
	if err := decode(body, &to); err != nil {
		return nil, err
	}
	switch {
	case len(to.Review) == 0 || to.Review[0] != '{':
		return nil, invalid("review must be an object")
	case len(to.Review) > maxReview:
		return nil, &Error{"too_large", fmt.Sprintf("a review holds at most %d bytes", maxReview)}
	}
	counter, err := d.SetDocument(ctx, documentReview, func(string) (string, error) { return string(to.Review), nil })
	if err != nil {
		return nil, keepError(err)
	}
	c.opts.Announce(struct {
		Type         string `json:"type"`
		ConnectionID string `json:"connectionId"`
		Counter      int64  `json:"counter"`
	}{documentReview, id, counter})
	return counted{counter}, nil
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
