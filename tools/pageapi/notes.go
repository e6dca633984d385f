package pageapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/schema"
)

// Notes is the body of GET /designs/{connection}/notes: what persons said to
// the agent, the oldest first.
type Notes struct {
	Notes []session.Note `json:"notes"`
}

// Notes are what persons said to the agent about a design.
func (a *API) Notes(ctx context.Context, id string) (Notes, error) {
	d, err := a.design(id)
	if err != nil {
		return Notes{}, err
	}
	list, err := d.Notes(ctx)
	if list == nil {
		list = []session.Note{}
	}
	return Notes{list}, err
}

// NoteRequest is the body of POST /designs/{connection}/notes: a new note, or
// one to forget.
type NoteRequest struct {
	Text  string      `json:"text"`
	Table designer.ID `json:"table"` // that it is about; "": the design
	Drop  string      `json:"drop"`  // id of a note
}

// SetNotes leaves a note for the next call of an agent's.
func (a *API) SetNotes(ctx context.Context, id string, r NoteRequest) (Notes, error) {
	d, err := a.design(id)
	if err != nil {
		return Notes{}, err
	}
	if r.Drop != "" {
		err = d.DropNote(ctx, r.Drop)
	} else {
		err = addNote(ctx, d, r)
	}
	if err != nil {
		return Notes{}, keepError(err)
	}
	a.opts.Announce(struct {
		Type         string `json:"type"`
		ConnectionID string `json:"connectionId"`
	}{"notes", id})
	return a.Notes(ctx, id)
}

func addNote(ctx context.Context, d *session.Designer, r NoteRequest) error {
	text := strings.TrimSpace(strings.Map(plain, r.Text))
	switch n := schema.EncodedNote(text); {
	case text == "":
		return invalid("text is required: what the agent is to read")
	case n > schema.MaxNote:
		return invalid(fmt.Sprintf("a note has %d bytes, at most %d", n, schema.MaxNote))
	}
	table := ""
	err := d.View(func(s *designer.Schema) {
		if t := s.ByID(r.Table); t != nil {
			table = clip.Name(t.TableName().String())
		}
	})
	if err != nil {
		return err
	}
	_, err = d.AddNote(ctx, text, table)
	if errors.Is(err, session.ErrNotes) {
		return invalid(err.Error())
	}
	return err
}

// plain makes a text one line of characters that are seen.
func plain(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}
