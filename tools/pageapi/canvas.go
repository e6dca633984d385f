package pageapi

import (
	"context"
	"encoding/json"
	"fmt"
)

// documentCanvas is the document of what persons put on the canvas beside the
// tables, and the notice of its changes.
const documentCanvas = "canvas"

// maxItems bounds the areas and notes of one layout.
const maxItems = 200

// Canvas is the body of GET /designs/{connection}/canvas: the areas and notes
// that lie among the tables, by their ids. Those of a saved view are kept with
// the view.
type Canvas struct {
	Counter int64                 `json:"counter"` // how often it was written
	Items   map[string]CanvasItem `json:"items"`
}

// Canvas is what persons put on the canvas of a design beside its tables.
func (a *API) Canvas(ctx context.Context, id string) (Canvas, error) {
	d, err := a.design(id)
	if err != nil {
		return Canvas{}, err
	}
	text, counter, err := d.Document(ctx, documentCanvas)
	if err != nil {
		return Canvas{}, err
	}
	items, err := readItems(text)
	return Canvas{counter, items}, err
}

func readItems(text string) (map[string]CanvasItem, error) {
	items := map[string]CanvasItem{}
	if text == "" {
		return items, nil
	}
	if err := json.Unmarshal([]byte(text), &items); err != nil {
		return nil, fmt.Errorf("read %s: %w", documentCanvas, err)
	}
	return items, nil
}

// CanvasRequest is the body of PUT /designs/{connection}/canvas.
type CanvasRequest struct {
	// Items are those to make, change or, if nil, remove. The page chooses the
	// id of a new one, so that it can put it back after it was removed.
	Items map[string]*ItemChange `json:"items"`
}

// CanvasReply answers a [CanvasRequest].
type CanvasReply struct {
	Counter int64 `json:"counter"`
}

// SetCanvas makes, changes or removes areas and notes, all that the request
// names or none. What it does not name stays as it is, field by field, so that
// two pages which change different things keep both.
func (a *API) SetCanvas(ctx context.Context, id string, r CanvasRequest) (CanvasReply, error) {
	d, err := a.design(id)
	if err != nil {
		return CanvasReply{}, err
	}
	if len(r.Items) == 0 {
		return CanvasReply{}, invalid("items is required: areas and notes by their ids, null for one to remove")
	}
	counter, err := a.editList(ctx, d, documentCanvas, func(text string) (any, error) { return r.applied(text) })
	return CanvasReply{counter}, err
}

// applied returns the items that follow from those there were.
func (r CanvasRequest) applied(text string) (map[string]CanvasItem, error) {
	items, err := readItems(text)
	if err != nil {
		return nil, err
	}
	for id, change := range r.Items {
		if change == nil {
			delete(items, id)
			continue
		}
		if err := checkItemID(id); err != nil {
			return nil, err
		}
		old, ok := items[id]
		if !ok && change.Kind == nil {
			return nil, &Error{"not_found", fmt.Sprintf("%s is no more: it was removed at another page; give its kind to make it again", id)}
		}
		if items[id], err = change.applied(old); err != nil {
			return nil, err
		}
	}
	return items, checkCount(items)
}

func checkCount(items map[string]CanvasItem) error {
	if len(items) > maxItems {
		return &Error{"too_large", fmt.Sprintf("a canvas holds at most %d areas and notes, not %d; remove some first", maxItems, len(items))}
	}
	return nil
}
