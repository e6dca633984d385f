package schema

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
)

// The contract's threshold: beyond either, an overview leaves out columns.
const (
	maxOverviewTables  = 40
	maxOverviewColumns = 400
)

// overhead is kept of a reply's bytes for what surrounds its lists.
const overhead = 4 << 10

// overview is the bounded view of a schema.
type overview struct {
	Tables         []json.RawMessage `json:"tables"`
	ColumnsOmitted bool              `json:"columnsOmitted"`
	page
}

// overviewEntry is one table of it: with its columns, or their number.
type overviewEntry struct {
	Schema          string           `json:"schema"`
	Name            string           `json:"name"`
	Columns         []overviewColumn `json:"columns,omitzero"`
	ColumnCount     *int             `json:"columnCount,omitempty"`
	ForeignKeyCount int              `json:"foreignKeyCount,omitempty"`
}

type overviewColumn struct {
	Name         string `json:"name"`
	DataType     string `json:"dataType,omitempty"`
	IsPrimaryKey bool   `json:"isPrimaryKey,omitempty"`
}

type overviewReply struct {
	envelope
	Overview overview `json:"overview"`
}

func (t *Tool) overview(w *work) (any, *failure) {
	if refused := w.meant(); refused != nil {
		return nil, refused
	}
	var reply overviewReply
	refused := t.view(w, func(s *designer.Schema) {
		reply.envelope = w.envelope(s.Version())
		reply.Overview = overviewOf(s, w.request.Options, maxReply-overhead)
	})
	return reply, refused
}

// overviewOf renders what the options ask of s in at most size bytes. A full
// list of names comes before counts, which go first where both do not fit.
func overviewOf(s *designer.Schema, o requestOptions, size room) overview {
	tables, columns := selected(s, o.Pattern)
	include := o.IncludeColumns
	if len(tables) > maxOverviewTables || columns > maxOverviewColumns {
		include = columnsNone
	}
	shown := o.cut(len(tables))
	left := size
	list := fill(&left, narrow(entriesOf(tables[shown.from:shown.to], include, true), size))
	if include == columnsNone && len(list) < shown.to-shown.from {
		left = size
		list = fill(&left, entriesOf(tables[shown.from:shown.to], include, false))
	}
	return overview{Tables: list, ColumnsOmitted: include == columnsNone,
		page: shown.page(len(list), o.paged() || o.Pattern != "")}
}

// selected returns the tables that a pattern selects, and their columns'
// number.
func selected(s *designer.Schema, pattern string) ([]*designer.Table, int) {
	all := s.Tables()
	if pattern == "" {
		return all, s.Columns()
	}
	match := matcher(pattern)
	var tables []*designer.Table
	columns := 0
	for _, t := range all {
		if match(t.Schema, t.Name) {
			tables = append(tables, t)
			columns += len(t.Columns)
		}
	}
	return tables, columns
}

func entriesOf(tables []*designer.Table, include string, counts bool) []overviewEntry {
	list := make([]overviewEntry, len(tables))
	for i, t := range tables {
		list[i] = overviewEntry{Schema: clipTo(t.Schema, maxName), Name: clipTo(t.Name, maxName)}
		switch {
		case include != columnsNone:
			list[i].Columns = overviewColumns(t, include)
		case counts:
			list[i].ColumnCount, list[i].ForeignKeyCount = new(len(t.Columns)), len(t.ForeignKeys)
		}
	}
	return list
}

// narrow leaves out the columns of a table that would not fit even alone, so
// that paging always moves on.
func narrow(list []overviewEntry, size room) []overviewEntry {
	for i, e := range list {
		if len(e.Columns) > 0 && len(encode(e)) >= int(size) {
			list[i].Columns, list[i].ColumnCount = nil, new(len(e.Columns))
		}
	}
	return list
}

func overviewColumns(t *designer.Table, include string) []overviewColumn {
	list := make([]overviewColumn, len(t.Columns))
	for i, c := range t.Columns {
		list[i].Name = clipTo(c.Name, maxName)
		if include != columnsNames {
			list[i].DataType, list[i].IsPrimaryKey = clipTo(c.DataType, maxName), inKey(t, c.ID)
		}
	}
	return list
}
