package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
)

const (
	// keptHappenings is how many of a design are kept, the newest.
	keptHappenings = 1000
	// maxHappening bounds the stored form of one. What was changed is left out
	// of a larger one.
	maxHappening = 8 << 10
)

// Happening is what was done to a design and is no step of it: an [Event] of
// the type Undone, Redone, PublishedDesign or Refreshed, as it is kept. In a
// team it is kept by each instance that saw it, and not in the journal.
type Happening struct {
	Seq     uint64            `json:"seq"` // of the event
	Type    EventType         `json:"type"`
	At      time.Time         `json:"at"`
	Origin  string            `json:"origin,omitempty"`
	Client  string            `json:"client,omitempty"`
	Author  string            `json:"author,omitempty"`
	BatchID string            `json:"batchId,omitempty"`
	Sync    SyncState         `json:"sync"`
	Changes *designer.Changes `json:"changes,omitempty"` // nil: no table changed, or too many for this
	Tables  []designer.ID     `json:"tables,omitempty"`  // that changed
}

// happened keeps an event that no step says.
func (w *writer) happened(design int64, e Event, at time.Time) error {
	switch e.Type {
	case Undone, Redone, PublishedDesign, Refreshed:
	default:
		return nil
	}
	h := Happening{Seq: e.Seq, Type: e.Type, At: at.UTC().Truncate(time.Millisecond), Origin: e.Origin, Client: e.Client, Author: e.Author,
		BatchID: e.BatchID, Sync: e.Sync, Changes: e.Changes, Tables: append([]designer.ID(nil), e.Dropped...)}
	for _, t := range e.Tables {
		h.Tables = append(h.Tables, t.ID)
	}
	body, err := encode(h)
	if err == nil && len(body) > maxHappening {
		h.Changes, h.Tables = nil, nil
		body, err = encode(h)
	}
	if err != nil {
		return fmt.Errorf("encode what happened: %w", err)
	}
	if err := w.exec(insertHappening, design, int64(h.Seq), body); err != nil {
		return err
	}
	return w.exec(trimHappenings, design, design, keptHappenings)
}

// Happened returns up to limit of what was done to the design and is no step of
// it, the newest first.
func (d *Designer) Happened(ctx context.Context, limit int) ([]Happening, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.m.closed.Load() {
		return nil, ErrClosed
	}
	list := []Happening{}
	err := d.m.store.read(ctx, func(r reader) error {
		return r.each(selectHappenings, func(rows *sql.Rows) error {
			var body string
			if err := rows.Scan(&body); err != nil {
				return err
			}
			var h Happening
			if err := json.Unmarshal([]byte(body), &h); err != nil {
				return damaged(d.m.store.path, "what happened: %w", err)
			}
			list = append(list, h)
			return nil
		}, d.row.id, limit)
	})
	return list, err
}
