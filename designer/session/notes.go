package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Note is what a person has to say to the agent about a design.
type Note struct {
	ID    string    `json:"id"`
	Text  string    `json:"text"`
	Table string    `json:"table,omitempty"` // that it is about, as it was called then; "": the design
	At    time.Time `json:"at"`
	// Read is when a call of an agent's got it; zero: none has yet.
	Read   time.Time `json:"read,omitzero"`
	Client string    `json:"client,omitempty"` // that read it, as it calls itself
}

const (
	notesDocument = "notes"
	// maxUnread bounds the notes that wait for a call, keptNotes all of them.
	maxUnread = 20
	keptNotes = 100
)

// ErrNotes means that as many notes wait for an agent's call as may.
var ErrNotes = errors.New("20 notes wait for the agent's next call already")

// Notes returns what persons said to the agent, the oldest first.
func (d *Designer) Notes(ctx context.Context) (list []Note, err error) {
	body, _, err := d.Document(ctx, notesDocument)
	if err == nil && body != "" {
		err = json.Unmarshal([]byte(body), &list)
	}
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	return list, nil
}

// AddNote keeps a note for the next call of an agent's.
func (d *Designer) AddNote(ctx context.Context, text, table string) (note Note, err error) {
	defer d.notesRead.Store(false)
	note = Note{ID: uuid.NewString(), Text: text, Table: table, At: d.m.opts.Now().UTC()}
	return note, d.editNotes(ctx, func(list []Note) ([]Note, error) {
		if len(unread(list)) >= maxUnread {
			return nil, ErrNotes
		}
		list = append(list, note)
		return list[max(0, len(list)-keptNotes):], nil
	})
}

// DropNote forgets a note.
func (d *Designer) DropNote(ctx context.Context, id string) error {
	return d.editNotes(ctx, func(list []Note) ([]Note, error) {
		return slices.DeleteFunc(list, func(n Note) bool { return n.ID == id }), nil
	})
}

// ReadNotes marks the first of the unread notes as read by a client, as far as
// take takes them, and returns those.
func (d *Designer) ReadNotes(ctx context.Context, client string, take func(Note) bool) (taken []Note, err error) {
	if d.notesRead.Load() {
		return nil, nil
	}
	d.notesRead.Store(true) // before they are read: one that comes meanwhile takes it back
	list, err := d.Notes(ctx)
	if err != nil || len(unread(list)) == 0 {
		return nil, err
	}
	return taken, d.editNotes(ctx, func(list []Note) ([]Note, error) {
		for i, n := range list {
			if !n.Read.IsZero() {
				continue
			}
			if !take(n) {
				d.notesRead.Store(false)
				break
			}
			list[i].Read, list[i].Client = d.m.opts.Now().UTC(), client
			taken = append(taken, list[i])
		}
		return list, nil
	})
}

func unread(list []Note) []Note {
	return slices.DeleteFunc(slices.Clone(list), func(n Note) bool { return !n.Read.IsZero() })
}

func (d *Designer) editNotes(ctx context.Context, edit func([]Note) ([]Note, error)) error {
	_, err := d.SetDocument(ctx, notesDocument, func(body string) (string, error) {
		var list []Note
		if body != "" {
			if err := json.Unmarshal([]byte(body), &list); err != nil {
				return "", fmt.Errorf("read notes: %w", err)
			}
		}
		list, err := edit(list)
		if err != nil {
			return "", err
		}
		return encode(list)
	})
	return err
}
