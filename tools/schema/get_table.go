package schema

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
)

// sideRoom is what a table's keys, indexes, checks and triggers together may
// take of a reply's bytes; the columns have the rest and are paged.
const sideRoom = room(14 << 10)

// tableView is the bounded view of one table.
type tableView struct {
	ID              designer.ID       `json:"id,omitempty"`
	Schema          string            `json:"schema"`
	Name            string            `json:"name"`
	Columns         []json.RawMessage `json:"columns,omitzero"`
	ColumnCount     *int              `json:"columnCount,omitempty"`
	NextOffset      int               `json:"nextOffset,omitempty"`
	PrimaryKey      *keyView          `json:"primaryKey,omitempty"`
	ForeignKeys     []json.RawMessage `json:"foreignKeys,omitzero"`
	ForeignKeyCount int               `json:"foreignKeyCount,omitempty"` // where some are left out
	Indexes         []json.RawMessage `json:"indexes,omitzero"`
	IndexCount      int               `json:"indexCount,omitempty"` // where some are left out
	Checks          []json.RawMessage `json:"checks,omitzero"`
	CheckCount      int               `json:"checkCount,omitempty"` // where some are left out
	Triggers        []json.RawMessage `json:"triggers,omitempty"`
	Comment         string            `json:"comment,omitempty"`
	Options         map[string]string `json:"options,omitempty"`
	Truncated       bool              `json:"truncated,omitempty"`
}

// keyView names a primary key's columns where their order is its own.
type keyView struct {
	Name    string   `json:"name,omitempty"`
	Columns []string `json:"columns"`
}

type tableReply struct {
	envelope
	Table tableView `json:"table"`
}

func (t *Tool) getTable(w *work) (any, *failure) {
	ref := w.request.Payload.Table
	if ref == nil {
		return nil, w.here(invalid(`payload.table is required, such as {"schema": "dbo", "name": "Orders"}`))
	}
	if refused := w.meant(); refused != nil {
		return nil, refused
	}
	var reply tableReply
	var missing *failure
	refused := t.view(w, func(s *designer.Schema) {
		reply.envelope = w.envelope(s.Version())
		reply.Table, missing = viewTable(s, *ref, w.request.Options)
	})
	if refused == nil && missing != nil {
		missing.CurrentVersion = reply.Version
		refused = w.here(missing)
	}
	return reply, refused
}

func viewTable(s *designer.Schema, ref designer.TableRef, o requestOptions) (tableView, *failure) {
	t, e := s.Table(ref)
	if e != nil {
		return tableView{}, refusal(e)
	}
	columns, refused := pick(t, o.Columns)
	if refused != nil {
		return tableView{}, refused
	}
	v := tableView{Schema: clipTo(t.Schema, maxName), Name: clipTo(t.Name, maxName)}
	side := sideRoom
	if o.IncludeColumns == columnsFull {
		v.addDetails(s, t, &side)
	}
	if o.IncludeForeignKeys {
		v.addForeignKeys(s, t, o.IncludeColumns == columnsFull, &side)
	}
	v.addColumns(t, columns, o, maxReply-overhead-(sideRoom-side))
	return v, nil
}

// pick returns the columns a call asks for, all without names.
func pick(t *designer.Table, names []string) ([]designer.Column, *failure) {
	if names == nil {
		return t.Columns, nil
	}
	var columns []designer.Column
	for _, name := range names {
		c, e := t.Column(designer.ObjectRef{Name: name})
		if e != nil {
			return nil, refusal(e)
		}
		columns = append(columns, *c)
	}
	return columns, nil
}

// addColumns adds the page of columns that is asked for and fits. The number
// of columns is told where they are not all there.
func (v *tableView) addColumns(t *designer.Table, columns []designer.Column, o requestOptions, left room) {
	if o.IncludeColumns == columnsNone {
		v.ColumnCount = new(len(t.Columns))
		return
	}
	shown := o.cut(len(columns))
	views := make([]any, 0, shown.to-shown.from)
	for _, c := range columns[shown.from:shown.to] {
		views = append(views, columnView(t, c, o.IncludeColumns))
	}
	v.Columns = fill(&left, views)
	at := shown.page(len(v.Columns), false)
	v.NextOffset, v.Truncated = at.NextOffset, v.Truncated || at.Truncated
	if len(v.Columns) < len(t.Columns) {
		v.ColumnCount = new(len(t.Columns))
	}
}
