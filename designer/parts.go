package designer

import (
	"reflect"
	"strings"
)

// tablePart is a column, foreign key, index or check of one version of a
// table.
type tablePart struct {
	id    ID
	value any // columnPart, ForeignKey, Index or Check
}

// columnPart is a column with its place in the primary key, which callers
// see as the column's own attribute.
type columnPart struct {
	Column
	key keyPlace
}

// keyPlace is 0 outside of the key, notShared in the key of this version of
// the table only, and else counts the columns that are in both keys: a key
// that loses a column does not change the others.
type keyPlace int

const notShared keyPlace = -1

// parts are the parts of one version of a table.
type parts struct {
	list []tablePart
	byID map[ID]tablePart
}

func (p *parts) add(id ID, value any) {
	part := tablePart{id, value}
	p.list = append(p.list, part)
	p.byID[id] = part
}

// partsOf takes a table apart that is to be compared with another version of
// it, or with nil; nil has no parts.
func partsOf(t, other *Table) parts {
	p := parts{byID: map[ID]tablePart{}}
	if t == nil {
		return p
	}
	key := keyPlaces(t, other)
	for _, c := range t.Columns {
		p.add(c.ID, columnPart{c, key[c.ID]})
	}
	for _, k := range t.ForeignKeys {
		p.add(k.ID, k)
	}
	for _, x := range t.Indexes {
		p.add(x.ID, x)
	}
	for _, k := range t.Checks {
		p.add(k.ID, k)
	}
	return p
}

func keyPlaces(t, other *Table) map[ID]keyPlace {
	places := map[ID]keyPlace{}
	if t.PrimaryKey == nil {
		return places
	}
	shared := keyPlace(0)
	for _, id := range t.PrimaryKey.Columns {
		if other != nil && other.inKey(id) {
			shared++
			places[id] = shared
		} else {
			places[id] = notShared
		}
	}
	return places
}

// jsonName is the name of a struct's field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
