package schema

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

type tableReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Table *tableDetail `json:"table"`
}

// tableDetail is one table, or what is read like one and not edited (see
// [carriedDetail]). ColumnCount and NextOffset appear where the columns are
// not all there; the lists after them come with the first page.
type tableDetail struct {
	Schema string      `json:"schema,omitempty"`
	Name   string      `json:"name"`
	ID     designer.ID `json:"id,omitempty"` // only in full, as are comment and options
	*carriedDetail
	Comment         string           `json:"comment,omitempty"`
	Options         options          `json:"options,omitzero"`
	Columns         []jsontext.Value `json:"columns,omitzero"`
	ColumnCount     int              `json:"columnCount,omitzero"`
	NextOffset      int              `json:"nextOffset,omitzero"`
	Truncated       bool             `json:"truncated,omitzero"` // something was cut by size
	PrimaryKey      *primaryKey      `json:"primaryKey,omitzero"`
	ForeignKeys     []jsontext.Value `json:"foreignKeys,omitzero"`
	ForeignKeyCount int              `json:"foreignKeyCount,omitzero"` // where they are not all there: get_relationships pages them
	Types           []jsontext.Value `json:"types,omitzero"`           // of the database's own that columns have
	Indexes         []jsontext.Value `json:"indexes,omitzero"`
	Checks          []jsontext.Value `json:"checks,omitzero"`
	Triggers        []jsontext.Value `json:"triggers,omitzero"`
	InheritedBy     []jsontext.Value `json:"inheritedBy,omitzero"` // tables
	Partitions      []jsontext.Value `json:"partitions,omitzero"`
	PartitionCount  int              `json:"partitionCount,omitzero"` // where they are not all there
}

// getTable reads one table: the columns the caller selects, a page of them
// where they do not fit, and what else it asks for.
func (t *Tool) getTable(in *invocation) (any, *failure) {
	if in.request.Payload.Table == nil {
		return nil, invalid(`payload.table is required, such as {"schema": "dbo", "name": "Orders"}`)
	}
	reply := &tableReply{Success: true, databaseIdentity: in.identity()}
	refused := t.view(in, func(s *designer.Schema) *failure {
		table, err := s.Table(*in.request.Payload.Table)
		reply.Version = s.Version()
		if err != nil {
			if reply.Table = carriedTable(s, *in.request.Payload.Table, in.request.Options); reply.Table != nil {
				return nil
			}
			return fromDesigner(err)
		}
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
	columns, refused := selectColumns(table, o.Columns)
	if refused != nil {
		return refused
	}
	if o.Offset == 0 {
		if o.IncludeColumns == columnsFull {
			d.Comment, d.Options = clip.Text(table.Comment, maxText), optionsOf(table.Options)
			d.addTypes(ownTypes(s.Objects(), columns), room(reply)/4)
		}
		d.addParts(s, table, o, room(reply)/2)
		budget = room(reply)
	}
	if o.IncludeColumns == columnsNone {
		d.ColumnCount = len(table.Columns)
		return nil
	}
	from, to := window{o.Offset, o.Limit}.cut(len(columns))
	page := columns[from:to]
	show := columnView(table, o.IncludeColumns)
	d.Columns, _ = take(budget, len(page), func(i int) any { return show(page[i]) })
	if len(d.Columns) == 0 && len(page) > 0 { // too large for any page: without it no page would lead on
		show, d.Truncated = columnView(table, columnsTypes), true
		d.Columns, _ = take(budget, 1, func(i int) any { return show(page[i]) })
	}
	if shown := len(d.Columns); shown < len(columns) {
		d.ColumnCount = len(columns)
		d.Truncated = d.Truncated || shown < len(page)
		if from+shown < len(columns) {
			d.NextOffset = from + shown
		}
	}
	return nil
}

// addParts adds keys, indexes, checks, triggers, children and partitions
// within a number of bytes.
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
		d.PrimaryKey = &primaryKey{Name: k.Name, Columns: columnNames(table, k.Columns), Options: optionsOf(k.Options)}
	}
	// Few tables have what follows: where there is none, there is no list.
	some := func(n int, entry func(i int) any) []jsontext.Value {
		if n == 0 {
			return nil
		}
		return add(n, entry)
	}
	d.Indexes = add(len(table.Indexes), func(i int) any { return indexOf(table, table.Indexes[i]) })
	d.Checks = add(len(table.Checks), func(i int) any { return checkOf(table.Checks[i]) })
	d.Triggers = some(len(table.Triggers), func(i int) any { return clip.Text(table.Triggers[i], maxTarget) })
	children := childrenOf(s, table)
	d.InheritedBy = some(len(children), func(i int) any { return children[i] })
	partitions := partitionsOf(s.Objects(), table)
	d.Partitions = some(len(partitions), func(i int) any { return partitions[i] })
	if len(d.Partitions) < len(partitions) {
		d.PartitionCount = len(partitions)
	}
}

// addTypes adds the first of some types that fit into a number of bytes.
func (d *tableDetail) addTypes(types []designer.Object, budget int) {
	if len(types) == 0 {
		return
	}
	d.Types, _ = take(budget, len(types), func(i int) any { return ownTypeOf(types[i]) })
	d.Truncated = len(d.Types) < len(types)
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
