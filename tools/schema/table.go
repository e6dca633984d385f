package schema

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
)

type tableReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	identity
	Table *tableDetail `json:"table"`
}

// tableDetail is one table. ColumnCount and NextOffset appear where the
// columns are not all there; the lists after them come with the first page.
type tableDetail struct {
	Schema          string           `json:"schema,omitempty"`
	Name            string           `json:"name"`
	ID              designer.ID      `json:"id,omitempty"` // only in full
	Columns         []jsontext.Value `json:"columns,omitzero"`
	ColumnCount     int              `json:"columnCount,omitzero"`
	NextOffset      int              `json:"nextOffset,omitzero"`
	Truncated       bool             `json:"truncated,omitzero"` // something was cut by size
	PrimaryKey      *primaryKey      `json:"primaryKey,omitzero"`
	ForeignKeys     []jsontext.Value `json:"foreignKeys,omitzero"`
	ForeignKeyCount int              `json:"foreignKeyCount,omitzero"` // where they are not all there: get_relationships pages them
	Indexes         []jsontext.Value `json:"indexes,omitzero"`
	Checks          []jsontext.Value `json:"checks,omitzero"`
	Triggers        []jsontext.Value `json:"triggers,omitzero"`
}

// getTable reads one table: the columns the caller selects, a page of them
// where they do not fit, and what else it asks for.
func (t *Tool) getTable(in *invocation) (any, *failure) {
	if in.request.Payload.Table == nil {
		return nil, invalid(`payload.table is required, such as {"schema": "dbo", "name": "Orders"}`)
	}
	reply := &tableReply{Success: true, identity: in.identity()}
	refused := t.view(in, func(s *designer.Schema) *failure {
		table, err := s.Table(*in.request.Payload.Table)
		if err != nil {
			return fromDesigner(err)
		}
		reply.Version = s.Version()
		reply.Table = &tableDetail{Schema: table.Schema, Name: table.Name}
		return describeTable(s, table, in.request.Options, reply)
	})
	if refused != nil {
		return nil, refused
	}
	return reply, nil
}

// describeTable fills in the reply's lists within its limit: what comes
// beside the columns may take half of it, the columns take what is left.
func describeTable(s *designer.Schema, table *designer.Table, o requestOptions, reply *tableReply) *failure {
	d := reply.Table
	budget := room(reply)
	if o.IncludeColumns == columnsFull {
		d.ID = table.ID
	}
	if o.Offset == 0 {
		d.addParts(s, table, o, budget/2)
		budget = room(reply)
	}
	if o.IncludeColumns == columnsNone {
		d.ColumnCount = len(table.Columns)
		return nil
	}
	columns, refused := selectColumns(table, o.Columns)
	if refused != nil {
		return refused
	}
	from, to := window{o.Offset, o.Limit}.cut(len(columns))
	page := columns[from:to]
	show := columnView(table, o.IncludeColumns)
	d.Columns, _ = take(budget, len(page), func(i int) any { return show(page[i]) })
	if shown := len(d.Columns); shown < len(columns) {
		d.ColumnCount = len(columns)
		d.Truncated = d.Truncated || shown < len(page)
		if from+shown < len(columns) {
			d.NextOffset = from + shown
		}
	}
	return nil
}

// addParts adds keys, indexes, checks and triggers within a number of bytes.
func (d *tableDetail) addParts(s *designer.Schema, table *designer.Table, o requestOptions, budget int) {
	full := o.IncludeColumns == columnsFull
	add := func(n int, entry func(i int) any) []jsontext.Value {
		list, used := take(budget, n, entry)
		budget -= used
		d.Truncated = d.Truncated || len(list) < n
		return list
	}
	if o.IncludeForeignKeys {
		d.ForeignKeys = add(len(table.ForeignKeys), func(i int) any {
			return keyOf(s, table, table.ForeignKeys[i], full)
		})
		if len(d.ForeignKeys) < len(table.ForeignKeys) {
			d.ForeignKeyCount = len(table.ForeignKeys)
		}
	}
	if !full {
		return
	}
	if k := table.PrimaryKey; k != nil {
		d.PrimaryKey = &primaryKey{Name: k.Name, Columns: columnNames(table, k.Columns)}
	}
	d.Indexes = add(len(table.Indexes), func(i int) any { return indexOf(table, table.Indexes[i]) })
	d.Checks = add(len(table.Checks), func(i int) any { return checkOf(table.Checks[i]) })
	if len(table.Triggers) > 0 {
		d.Triggers = add(len(table.Triggers), func(i int) any { return clipTo(table.Triggers[i], maxTarget) })
	}
}

// selectColumns returns the columns of the names given, in the table's order;
// all of them where none is given.
func selectColumns(table *designer.Table, names []string) ([]designer.Column, *failure) {
	if len(names) == 0 {
		return table.Columns, nil
	}
	wanted := map[designer.ID]bool{}
	for _, name := range names {
		c, err := table.Column(designer.ObjectRef{Name: name})
		if err != nil {
			return nil, fromDesigner(err)
		}
		wanted[c.ID] = true
	}
	var selected []designer.Column
	for _, c := range table.Columns {
		if wanted[c.ID] {
			selected = append(selected, c)
		}
	}
	return selected, nil
}
