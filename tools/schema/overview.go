package schema

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
)

// The contract's threshold: with more tables or more columns than this an
// overview leaves columns out.
const (
	overviewTables  = 40
	overviewColumns = 400
)

type overviewReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Overview *overview `json:"overview"`
}

// overview lists tables. Total, NextOffset and Truncated appear only where
// the list is not all there is.
type overview struct {
	Tables         []jsontext.Value `json:"tables"`
	ColumnsOmitted bool             `json:"columnsOmitted"`
	Total          int              `json:"total,omitzero"`      // tables that match, all pages together
	NextOffset     int              `json:"nextOffset,omitzero"` // of the next page
	Truncated      bool             `json:"truncated,omitzero"`  // cut by size rather than by options.limit
}

// tableEntry is a table of an overview: with columns, with counts in their
// place, or by name alone.
type tableEntry struct {
	Schema          string        `json:"schema,omitempty"`
	Name            string        `json:"name"`
	Columns         []columnEntry `json:"columns,omitzero"`
	ColumnCount     *int          `json:"columnCount,omitzero"`
	ForeignKeyCount *int          `json:"foreignKeyCount,omitzero"`
}

type columnEntry struct {
	Name         string `json:"name"`
	DataType     string `json:"dataType,omitempty"`
	IsPrimaryKey bool   `json:"isPrimaryKey,omitzero"`
}

type overviewQuery struct {
	columns string // one of the values of options.includeColumns; "full" counts as namesAndTypes
	pattern string
	window  window
}

func (t *Tool) getOverview(in *invocation) (any, *failure) {
	o := in.request.Options
	reply := &overviewReply{Success: true, databaseIdentity: in.identity()}
	refused := t.view(in, func(s *designer.Schema) *failure {
		reply.Version = s.Version()
		reply.Overview = buildOverview(s, overviewQuery{
			columns: o.IncludeColumns, pattern: o.Pattern, window: window{o.Offset, o.Limit},
		}, room(reply))
		return nil
	})
	return reply, refused
}

// buildOverview lists the tables a query asks for within a number of bytes.
// The names matter most: what does not fit loses its columns first, then the
// counts that stand for them, and only then are tables left for a next page.
func buildOverview(s *designer.Schema, q overviewQuery, budget int) *overview {
	matching := matchTables(s.Tables(), q.pattern)
	from, to := q.window.cut(len(matching))
	page := matching[from:to]
	o := &overview{}
	var details []func(*designer.Table) tableEntry
	if q.columns != columnsNone && !overThreshold(matching, page, q.window) {
		details = append(details, withColumns(q.columns))
	}
	details = append(details, withCounts, namesOnly)
	for i, detail := range details {
		o.Tables, _ = take(budget, len(page), func(i int) any { return detail(page[i]) })
		o.ColumnsOmitted = len(details)-i <= 2
		if len(o.Tables) == len(page) {
			break
		}
	}
	if shown := len(o.Tables); shown < len(matching) {
		o.Total = len(matching)
		o.Truncated = shown < len(page)
		if from+shown < len(matching) {
			o.NextOffset = from + shown
		}
	}
	return o
}

// overThreshold applies the contract's rule to what the caller selected: all
// tables, those of a pattern, or one page where options.limit asks for pages.
func overThreshold(matching, page []*designer.Table, w window) bool {
	selected := matching
	if w.limit != nil {
		selected = page
	}
	columns := 0
	for _, t := range selected {
		columns += len(t.Columns)
	}
	return len(selected) > overviewTables || columns > overviewColumns
}

func withColumns(include string) func(*designer.Table) tableEntry {
	return func(t *designer.Table) tableEntry {
		e := namesOnly(t)
		e.Columns = make([]columnEntry, len(t.Columns))
		key := keyColumns(t)
		for i, c := range t.Columns {
			e.Columns[i] = columnEntry{Name: c.Name}
			if include != columnsNames {
				e.Columns[i].DataType, e.Columns[i].IsPrimaryKey = c.DataType, key[c.ID]
			}
		}
		return e
	}
}

func withCounts(t *designer.Table) tableEntry {
	e := namesOnly(t)
	columns, keys := len(t.Columns), len(t.ForeignKeys)
	e.ColumnCount, e.ForeignKeyCount = &columns, &keys
	return e
}

func namesOnly(t *designer.Table) tableEntry { return tableEntry{Schema: t.Schema, Name: t.Name} }

// keyColumns returns the columns of the primary key.
func keyColumns(t *designer.Table) map[designer.ID]bool {
	if t.PrimaryKey == nil {
		return nil
	}
	key := make(map[designer.ID]bool, len(t.PrimaryKey.Columns))
	for _, id := range t.PrimaryKey.Columns {
		key[id] = true
	}
	return key
}
