package pageapi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/designer"
)

// documentViews is the document of the saved views, and their notice.
const documentViews = "views"

const (
	maxViews      = 100
	maxViewTables = 5_000
	maxViewName   = 80 // characters
	maxTableID    = 64 // bytes
)

// SavedView is a named set of tables with a layout of its own.
type SavedView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Tables are those of the view, and where they lie. One that the design has
	// no more stays: undo may bring it back.
	Tables map[designer.ID]Position `json:"tables"`
	// Items are the areas and notes that lie among them, by their ids.
	Items map[string]CanvasItem `json:"items,omitempty"`
}

// SavedViews is the body of GET /designs/{connection}/saved-views: in the order
// in which they were made.
type SavedViews struct {
	Counter int64       `json:"counter"` // how often they were written
	Views   []SavedView `json:"views"`
}

// SavedViews are the views that persons saved of a design.
func (a *API) SavedViews(ctx context.Context, id string) (SavedViews, error) {
	d, err := a.design(id)
	if err != nil {
		return SavedViews{}, err
	}
	views, counter, err := readList[SavedView](ctx, d, documentViews)
	return SavedViews{counter, views}, err
}

// SavedViewRequest is the body of PUT /designs/{connection}/saved-views: a new
// view, or a change of one.
type SavedViewRequest struct {
	ID     string                   `json:"id"`     // "": a new one
	Name   *string                  `json:"name"`   // nil: as it is
	Tables map[designer.ID]Position `json:"tables"` // all of them; nil: as they are
	Items  map[string]CanvasItem    `json:"items"`  // all of them; nil: as they are
	Remove bool                     `json:"remove"`
}

// SavedViewReply answers a [SavedViewRequest].
type SavedViewReply struct {
	Counter int64  `json:"counter"`
	ID      string `json:"id"` // of the view
}

// SetSavedView keeps, changes or removes one view; the others stay as they are,
// so that two pages which save different views keep both.
func (a *API) SetSavedView(ctx context.Context, id string, r SavedViewRequest) (SavedViewReply, error) {
	d, err := a.design(id)
	if err != nil {
		return SavedViewReply{}, err
	}
	if err := r.check(); err != nil {
		return SavedViewReply{}, err
	}
	reply := SavedViewReply{ID: r.ID}
	if r.ID == "" {
		reply.ID = uuid.NewString()
	}
	reply.Counter, err = a.editList(ctx, d, documentViews, func(text string) (any, error) {
		views, err := decodeList[SavedView](text, documentViews)
		if err != nil {
			return nil, err
		}
		return r.applied(views, reply.ID)
	})
	return reply, err
}

// check refuses what no view can be, and makes the name one line.
func (r *SavedViewRequest) check() error {
	if r.Remove {
		return nil
	}
	if r.ID == "" && (r.Name == nil || r.Tables == nil) {
		return invalid("a new view takes a name and tables; to change or remove one, give its id")
	}
	if r.Name != nil {
		name, err := oneLine("the view's name", *r.Name, maxViewName)
		if err != nil {
			return err
		}
		r.Name = &name
	}
	switch n := len(r.Tables); {
	case r.Tables != nil && n == 0:
		return invalid("a view has a table at least; show what it is to have, or remove the view")
	case n > maxViewTables:
		return &Error{"too_large", fmt.Sprintf("a view holds at most %d tables, not %d; show fewer and save again", maxViewTables, n)}
	}
	for id, at := range r.Tables {
		if len(id) == 0 || len(id) > maxTableID {
			return invalid(fmt.Sprintf("tables has an id of %d bytes; ids are those of GET /designs/{connection}", len(id)))
		}
		if !onCanvas(at.X, at.Y) {
			return invalid(fmt.Sprintf("a table lies at most %.0f from the middle of the canvas", maxCoordinate))
		}
	}
	return checkItems(r.Items)
}

// applied returns the views that follow from those there were.
func (r SavedViewRequest) applied(views []SavedView, id string) ([]SavedView, error) {
	at := slices.IndexFunc(views, func(v SavedView) bool { return v.ID == id })
	switch {
	case r.ID != "" && at < 0:
		return nil, &Error{"not_found", "the view is no more: it was removed at another page; save it as a new one"}
	case r.Remove && r.ID == "":
		return nil, invalid("id is required: which view to remove")
	case r.Remove:
		return slices.Delete(views, at, at+1), nil
	}
	if r.Name != nil && slices.ContainsFunc(views, func(v SavedView) bool { return v.ID != id && strings.EqualFold(v.Name, *r.Name) }) {
		return nil, invalid("another view is called that; give this one another name, or update the other")
	}
	if at < 0 {
		if len(views) >= maxViews {
			return nil, &Error{"too_large", fmt.Sprintf("a design keeps at most %d views; remove one first", maxViews)}
		}
		return append(views, SavedView{id, *r.Name, r.Tables, r.Items}), nil
	}
	if r.Name != nil {
		views[at].Name = *r.Name
	}
	if r.Tables != nil {
		views[at].Tables = r.Tables
	}
	if r.Items != nil {
		views[at].Items = r.Items
	}
	return views, nil
}
