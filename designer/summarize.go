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
	TypesAdded         []TableName    `json:"typesAdded,omitempty"`
	TypesUpdated       []TableName    `json:"typesUpdated,omitempty"`
	TypesDropped       []TableName    `json:"typesDropped,omitempty"`
}

// TableName names a table in a receipt.
type TableName struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
}

// ObjectName names a part of a table in a receipt; one without a name by its
// id, which edits take too.
type ObjectName struct {
	Name string `json:"name"`
	ID   ID     `json:"id,omitempty"`
}

func objectName(name string, id ID) ObjectName {
	if name != "" {
		id = ""
	}
	return ObjectName{name, id}
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

// tableNetChange is what a batch did to one table, whatever it did in between.
type tableNetChange struct {
	before, after *Table
	// born are the parts that a table which is new in the batch began with:
	// they are implied by it, whatever became of them.
	born map[ID]tablePart
}

// Summarize says what changes that s has committed amount to. It compares
// tables as they were before the first change with tables as s has them,
// whatever the edits asked for; what was added and dropped again does not
// appear.
func Summarize(s *Schema, changes []Change) Changes {
	nets := map[ID]*tableNetChange{}
	var order []ID
	for _, c := range changes {
		for _, tc := range c.Tables {
			id := tc.ID()
			if nets[id] != nil {
				continue
			}
			order = append(order, id)
			nets[id] = &tableNetChange{before: tc.Before, after: s.ByID(id)}
			if tc.Before == nil {
				nets[id].born = partsOf(tc.After, nil).byID
			}
		}
	}
	var out Changes
	for _, id := range order {
		out.addNet(*nets[id])
	}
	out.addTypes(s, changes)
	return out
}

// addTypes enters what the changes did to named types.
func (c *Changes) addTypes(s *Schema, changes []Change) {
	seen := map[ID]bool{}
	for _, change := range changes {
		for _, tc := range change.Types {
			if seen[tc.ID()] {
				continue
			}
			seen[tc.ID()] = true
			switch now := s.NamedType(tc.ID()); {
			case tc.Before == nil && now == nil:
			case tc.Before == nil:
				c.TypesAdded = append(c.TypesAdded, now.TypeName())
			case now == nil:
				c.TypesDropped = append(c.TypesDropped, tc.Before.TypeName())
			case !tc.Before.Equal(now):
				c.TypesUpdated = append(c.TypesUpdated, now.TypeName())
			}
		}
	}
}

func (c *Changes) addNet(n tableNetChange) {
	c.addTable(n)
	if n.after == nil {
		return // its parts went with it
	}
	before, after := partsOf(n.before, n.after), partsOf(n.after, n.before)
	for _, p := range after.list {
		if _, implied := n.born[p.id]; !implied {
			c.addPart(n.after.TableName(), before.byID[p.id].value, p.value)
		}
	}
	for _, p := range before.list {
		if after.byID[p.id].value == nil {
			c.addPart(n.after.TableName(), p.value, nil)
		}
	}
}

// TableName returns the table's schema and name.
func (t *Table) TableName() TableName { return TableName{t.Schema, t.Name} }

func (c *Changes) addTable(n tableNetChange) {
	switch {
	case n.before == nil && n.after == nil:
	case n.before == nil:
		c.TablesAdded = append(c.TablesAdded, n.after.TableName())
	case n.after == nil:
		c.TablesDropped = append(c.TablesDropped, n.before.TableName())
	case !(*Table).Equal(bare(n.before, n.after), bare(n.after, n.before)):
		c.TablesUpdated = append(c.TablesUpdated, n.after.TableName())
	}
}

// bare returns what is of the table itself rather than of its parts. A key
// that comes or goes shows in its columns, so that only the name of one that
// is in both versions counts.
func bare(t, other *Table) *Table {
	b := &Table{Schema: t.Schema, Name: t.Name, Comment: t.Comment, Options: t.Options, Triggers: t.Triggers}
	if t.PrimaryKey != nil && other.PrimaryKey != nil {
		b.PrimaryKey = &PrimaryKey{Name: t.PrimaryKey.Name, Options: t.PrimaryKey.Options}
	}
	return b
}

// addPart enters a part of a table into the list it belongs to; nil is a part
// that was or is not there.
func (c *Changes) addPart(table TableName, before, after any) {
	if reflect.DeepEqual(before, after) {
		return
	}
	value := after
	if value == nil {
		value = before
	}
	switch v := value.(type) {
	case columnPart:
		e := ColumnChange{table, objectName(v.Name, v.ID)}
		enter(e, before, after, &c.ColumnsAdded, &c.ColumnsUpdated, &c.ColumnsDropped)
	case ForeignKey:
		e := KeyChange{table, objectName(v.Name, v.ID)}
		enter(e, before, after, &c.ForeignKeysAdded, &c.ForeignKeysUpdated, &c.ForeignKeysDropped)
	case Index:
		e := IndexChange{table, objectName(v.Name, v.ID)}
		enter(e, before, after, &c.IndexesAdded, &c.IndexesUpdated, &c.IndexesDropped)
	case Check:
		e := CheckChange{table, objectName(v.Name, v.ID)}
		enter(e, before, after, &c.ChecksAdded, &c.ChecksUpdated, &c.ChecksDropped)
	}
}

func enter[T any](e T, before, after any, added, updated, dropped *[]T) {
	list := updated
	if before == nil {
		list = added
	} else if after == nil {
		list = dropped
	}
	*list = append(*list, e)
}
