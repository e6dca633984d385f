package designer

import "reflect"

// Changes is the summary of a batch in a receipt: what is there now that was
// not, what is gone and what is different. The columns of a table that was
// added with them are implied by the table.
type Changes struct {
	TablesAdded        []TableName    `json:"tablesAdded,omitempty"`
	TablesUpdated      []TableName    `json:"tablesUpdated,omitempty"`
	TablesDropped      []TableName    `json:"tablesDropped,omitempty"`
	ColumnsAdded       []ColumnChange `json:"columnsAdded,omitempty"`
	ColumnsUpdated     []ColumnChange `json:"columnsUpdated,omitempty"`
	ColumnsDropped     []ColumnChange `json:"columnsDropped,omitempty"`
	ForeignKeysAdded   []KeyChange    `json:"foreignKeysAdded,omitempty"`
	ForeignKeysUpdated []KeyChange    `json:"foreignKeysUpdated,omitempty"`
	ForeignKeysDropped []KeyChange    `json:"foreignKeysDropped,omitempty"`
	IndexesAdded       []IndexChange  `json:"indexesAdded,omitempty"`
	IndexesUpdated     []IndexChange  `json:"indexesUpdated,omitempty"`
	IndexesDropped     []IndexChange  `json:"indexesDropped,omitempty"`
	ChecksAdded        []CheckChange  `json:"checksAdded,omitempty"`
	ChecksUpdated      []CheckChange  `json:"checksUpdated,omitempty"`
	ChecksDropped      []CheckChange  `json:"checksDropped,omitempty"`
}

// TableName names a table in a receipt.
type TableName struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
}

// ObjectName names a part of a table in a receipt.
type ObjectName struct {
	Name string `json:"name"`
}

// ColumnChange names a column in a receipt.
type ColumnChange struct {
	Table  TableName  `json:"table"`
	Column ObjectName `json:"column"`
}

// KeyChange names a foreign key in a receipt.
type KeyChange struct {
	Table      TableName  `json:"table"`
	ForeignKey ObjectName `json:"foreignKey"`
}

// IndexChange names an index in a receipt.
type IndexChange struct {
	Table TableName  `json:"table"`
	Index ObjectName `json:"index"`
}

// CheckChange names a check in a receipt.
type CheckChange struct {
	Table TableName  `json:"table"`
	Check ObjectName `json:"check"`
}

// Counts returns how many entries each list of the summary has, by the list's
// name in JSON; empty lists are left out.
func (c Changes) Counts() map[string]int {
	counts := map[string]int{}
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if n := v.Field(i).Len(); n > 0 {
			name := jsonName(v.Type().Field(i))
			counts[name] = n
		}
	}
	return counts
}

// part is one column, key, index or check over a batch: what it was when the
// batch first touched it and what it is now; nil: not there.
type part struct {
	kind        byte
	table       ID
	first, last any
}

// summary collects the parts of a batch in the order they were touched.
type summary struct {
	tables map[ID]*TableChange
	parts  map[ID]*part
	order  []ID // of tables and parts
}

// Summarize says what changes that s has committed amount to. It compares
// tables as they were with tables as they are, whatever the edits asked for;
// what was added and dropped again does not appear.
func Summarize(s *Schema, changes []Change) Changes {
	sum := &summary{tables: map[ID]*TableChange{}, parts: map[ID]*part{}}
	for _, c := range changes {
		for _, tc := range c.Tables {
			sum.table(tc)
		}
	}
	var out Changes
	for _, id := range sum.order {
		if tc := sum.tables[id]; tc != nil {
			out.addTable(*tc)
		} else if p := sum.parts[id]; p != nil {
			out.addPart(*p, sum.nameOf(s, p.table))
		}
	}
	return out
}

func (sum *summary) table(tc TableChange) {
	id := tc.ID()
	known := sum.tables[id]
	if known == nil {
		known = &TableChange{Before: tc.Before}
		sum.tables[id] = known
		sum.order = append(sum.order, id)
	}
	known.After = tc.After
	if tc.After == nil {
		for pid, p := range sum.parts {
			if p.table == id {
				delete(sum.parts, pid) // gone with its table
			}
		}
		return
	}
	before := partsOf(tc.Before)
	after := partsOf(tc.After)
	for _, p := range before.list {
		sum.part(p, after.byID[p.id].value)
	}
	for _, p := range after.list {
		switch {
		case before.byID[p.id].value != nil:
		case tc.Before == nil:
			sum.part(p, p.value) // implied by its table: as if it had been there
		default:
			added := p
			added.value = nil
			sum.part(added, p.value)
		}
	}
}

// part notes that p, as it was, is now after.
func (sum *summary) part(p tablePart, after any) {
	if known := sum.parts[p.id]; known != nil {
		known.last = after
		return
	}
	if !reflect.DeepEqual(p.value, after) || after == nil {
		sum.order = append(sum.order, p.id)
		sum.parts[p.id] = &part{kind: p.kind, table: p.table, first: p.value, last: after}
	}
}

// nameOf names a table as it is now, or as it was when it went.
func (sum *summary) nameOf(s *Schema, id ID) TableName {
	if t := s.ByID(id); t != nil {
		return t.tableName()
	}
	return sum.tables[id].Before.tableName()
}

func (t *Table) tableName() TableName { return TableName{t.Schema, t.Name} }

func (c *Changes) addTable(tc TableChange) {
	switch {
	case tc.Before == nil && tc.After == nil:
	case tc.Before == nil:
		c.TablesAdded = append(c.TablesAdded, tc.After.tableName())
	case tc.After == nil:
		c.TablesDropped = append(c.TablesDropped, tc.Before.tableName())
	case !sameTable(bare(tc.Before), bare(tc.After)):
		c.TablesUpdated = append(c.TablesUpdated, tc.After.tableName())
	}
}

// bare returns what is of the table itself rather than of its parts.
func bare(t *Table) *Table {
	b := &Table{Schema: t.Schema, Name: t.Name, Comment: t.Comment, Options: t.Options, Triggers: t.Triggers}
	if t.PrimaryKey != nil {
		b.PrimaryKey = &PrimaryKey{Name: t.PrimaryKey.Name}
	}
	return b
}

func (c *Changes) addPart(p part, table TableName) {
	if p.first == nil && p.last == nil || reflect.DeepEqual(p.first, p.last) {
		return
	}
	value := p.last
	if value == nil {
		value = p.first
	}
	put := func(added, updated, dropped func()) {
		switch {
		case p.first == nil:
			added()
		case p.last == nil:
			dropped()
		default:
			updated()
		}
	}
	switch v := value.(type) {
	case columnPart:
		e := ColumnChange{table, ObjectName{v.Name}}
		put(appendTo(&c.ColumnsAdded, e), appendTo(&c.ColumnsUpdated, e), appendTo(&c.ColumnsDropped, e))
	case ForeignKey:
		e := KeyChange{table, ObjectName{v.Name}}
		put(appendTo(&c.ForeignKeysAdded, e), appendTo(&c.ForeignKeysUpdated, e), appendTo(&c.ForeignKeysDropped, e))
	case Index:
		e := IndexChange{table, ObjectName{v.Name}}
		put(appendTo(&c.IndexesAdded, e), appendTo(&c.IndexesUpdated, e), appendTo(&c.IndexesDropped, e))
	case Check:
		e := CheckChange{table, ObjectName{v.Name}}
		put(appendTo(&c.ChecksAdded, e), appendTo(&c.ChecksUpdated, e), appendTo(&c.ChecksDropped, e))
	}
}

func appendTo[T any](list *[]T, e T) func() { return func() { *list = append(*list, e) } }
