package designer

import (
	"reflect"
	"strings"
)

// tablePart is a column, foreign key, index or check of one version of a
// table. value is nil where it is not there.
type tablePart struct {
	kind  byte
	id    ID
	table ID
	value any
}

// columnPart is a column with its place in the primary key, which callers
// see as the column's own attribute. key is 0 outside of the key.
type columnPart struct {
	Column
	key int
}

// parts are the parts of one version of a table.
type parts struct {
	list []tablePart
	byID map[ID]tablePart
}

func (p *parts) add(t *Table, kind byte, id ID, value any) {
	part := tablePart{kind: kind, id: id, table: t.ID, value: value}
	p.list = append(p.list, part)
	p.byID[id] = part
}

// partsOf takes a table apart; nil has no parts.
func partsOf(t *Table) parts {
	p := parts{byID: map[ID]tablePart{}}
	if t == nil {
		return p
	}
	key := map[ID]int{}
	if t.PrimaryKey != nil {
		for i, id := range t.PrimaryKey.Columns {
			key[id] = i + 1
		}
	}
	for _, c := range t.Columns {
		p.add(t, 'c', c.ID, columnPart{c, key[c.ID]})
	}
	for _, k := range t.ForeignKeys {
		p.add(t, 'f', k.ID, k)
	}
	for _, x := range t.Indexes {
		p.add(t, 'i', x.ID, x)
	}
	for _, k := range t.Checks {
		p.add(t, 'k', k.ID, k)
	}
	return p
}

// jsonName is the name of a struct's field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
