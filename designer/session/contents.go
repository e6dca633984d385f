package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Contents is a whole design at one moment, with the number of the last event
// that it includes: a reader that applies the events after it stays up to date.
type Contents struct {
	Info
	Seq           uint64
	DefaultSchema string
	Schemas       []string
	Views         []designer.View
	Tables        []*designer.Table // for reading
	Types         []*designer.NamedType
}

// Contents returns the design as last committed.
func (d *Designer) Contents() (Contents, error) {
	if err := d.load(); err != nil {
		return Contents{}, err
	}
	active, _ := d.m.Active()
	d.mu.RLock()
	defer d.mu.RUnlock()
	m := Contents{Info: d.infoLocked(), Seq: d.m.LastEvent(), DefaultSchema: d.schema.DefaultSchema(),
		Schemas: d.schema.Schemas(), Views: d.schema.Views(), Tables: d.schema.Tables(), Types: d.schema.NamedTypes()}
	m.Active = d == active
	return m, nil
}

// LastEvent returns the number of the newest event, 0 if there was none yet.
func (m *Manager) LastEvent() uint64 {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	return m.hub.last
}

// StepTables is an undo step with what it did.
type StepTables struct {
	Step
	Tables []TableStates
}

// TableStates is a table before and after a step; nil where it was not there.
type TableStates struct{ Before, After *designer.Table }

// Past returns up to limit undo steps, newest first, with the tables that each
// changed, and the version after the newest one.
func (d *Designer) Past(ctx context.Context, limit int) (steps []StepTables, version string, err error) {
	if err := d.load(); err != nil {
		return nil, "", err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	at := d.row.steps
	var rows []stepRow
	err = d.m.store.read(ctx, func(r reader) (err error) {
		rows, err = r.steps(d.row.id, max(at.first, at.top-int64(limit)+1), at.top)
		return err
	})
	past := pastTables{d.schema, map[designer.ID]*designer.Table{}}
	for _, row := range slices.Backward(rows) {
		c, err := decodeChange(row.change, past, true)
		if err != nil {
			return nil, "", damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		s := StepTables{Step: row.step()}
		for _, tc := range c.Tables {
			s.Tables = append(s.Tables, TableStates{tc.Before, tc.After})
			past.over[tc.ID()] = tc.Before
		}
		steps = append(steps, s)
	}
	return steps, d.row.version, err
}

// pastTables holds a schema's tables as they were some steps ago.
type pastTables struct {
	now  *designer.Schema
	over map[designer.ID]*designer.Table // nil: not there then
}

// ByID implements tableFinder.
func (l pastTables) ByID(id designer.ID) *designer.Table {
	if t, ok := l.over[id]; ok {
		return t
	}
	return l.now.ByID(id)
}

// maxDocument bounds what a page stores with a design.
const maxDocument = 4 << 20

// Document returns the JSON that a page stored with the design under a name,
// and how often it was written; "" and 0 if never.
func (d *Designer) Document(ctx context.Context, name string) (body string, counter int64, err error) {
	d.mu.RLock()
	id := d.row.id
	d.mu.RUnlock()
	err = d.m.store.read(ctx, func(r reader) (err error) {
		body, counter, err = r.document(id, name)
		return err
	})
	return body, counter, err
}

// SetDocument changes what a page stores with the design: edit gets the old
// content, "" at first, and returns the new one. It returns the new counter.
// This does not change the design: there is no version, no step and no event.
func (d *Designer) SetDocument(ctx context.Context, name string, edit func(body string) (string, error)) (counter int64, err error) {
	d.mu.RLock()
	id := d.row.id
	d.mu.RUnlock()
	err = d.m.store.write(ctx, func(w *writer) error {
		body, n, err := w.document(id, name)
		if err != nil {
			return err
		}
		if body, err = edit(body); err != nil {
			return err
		}
		if len(body) > maxDocument {
			return fmt.Errorf("%w: %d bytes, at most %d", ErrDocumentTooLarge, len(body), maxDocument)
		}
		counter = n + 1
		return w.exec(upsertDocument, id, name, counter, body)
	}, nil)
	return counter, err
}
