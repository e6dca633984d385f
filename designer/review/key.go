package review

import (
	"errors"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Key names one thing that a step decides: that a table or a part of it is
// there, or one field of either. A key selects what is below it, too: that of a
// table all of its parts.
type Key struct {
	Table designer.ID // "": Part is a named type
	Part  designer.ID // "": Field is the table's own
	Field string      // "": that the table, part or type is there, and all of it
}

// The fields that have a key of their own. Parts other than columns have none:
// they change as a whole.
const (
	fieldName      = "name"
	fieldSchema    = "schema"
	fieldComment   = "comment"
	fieldOptions   = "options"
	fieldKey       = "primaryKey"
	fieldType      = "type"
	fieldNullable  = "nullable"
	fieldDefault   = "default"
	fieldIdentity  = "identity"
	fieldComputed  = "computed"
	fieldCollation = "collation"
)

// String returns the key as ParseKey reads it: "table/part/field", without what
// is empty at its end.
func (k Key) String() string {
	return strings.TrimRight(string(k.Table)+"/"+string(k.Part)+"/"+k.Field, "/")
}

var errNoKey = errors.New("a key is <table>, <table>/<part>, <table>/<part>/<field>, <table>//<field> or /<type>, with ids of the review")

// ParseKey reads a key. Ids hold no slash.
func ParseKey(text string) (Key, error) {
	parts := strings.Split(text, "/")
	if len(parts) > 3 {
		return Key{}, errNoKey
	}
	parts = append(parts, "", "")
	if parts[0] == "" && parts[1] == "" {
		return Key{}, errNoKey
	}
	return Key{designer.ID(parts[0]), designer.ID(parts[1]), parts[2]}, nil
}

// Selects reports whether k is other, or other is below it.
func (k Key) Selects(other Key) bool {
	if k.Table != other.Table || k.Part != "" && k.Part != other.Part {
		return false
	}
	return k.Field == "" || k == other
}

// above are the keys that select k, itself among them.
func (k Key) above() []Key {
	list := []Key{k}
	if k.Field != "" && k.Part != "" {
		list = append(list, Key{k.Table, k.Part, ""})
	}
	if k.Table != "" && k != (Key{Table: k.Table}) {
		list = append(list, Key{Table: k.Table})
	}
	return list
}

// keysOf lists what a change of a table decides.
func keysOf(tc designer.TableChange) []Key {
	t := tc.ID()
	switch {
	case tc.After == nil:
		return []Key{{Table: t}}
	case tc.Before == nil:
		keys := []Key{{Table: t}, {Table: t, Field: fieldKey}}
		for id := range partsOf(tc.After) {
			keys = append(keys, Key{Table: t, Part: id})
		}
		return keys
	}
	d := designer.DiffTables(tc.Before, tc.After)
	var keys []Key
	add := func(when bool, part designer.ID, field string) {
		if when {
			keys = append(keys, Key{t, part, field})
		}
	}
	add(d.Renamed, "", fieldName)
	add(d.Moved, "", fieldSchema)
	add(d.Comment, "", fieldComment)
	add(d.Options, "", fieldOptions)
	add(d.PrimaryKey, "", fieldKey)
	for _, c := range d.Columns {
		if !c.Changed() {
			keys = append(keys, Key{Table: t, Part: either(c.PartDiff).ID})
			continue
		}
		id := c.To.ID
		add(c.Renamed, id, fieldName)
		add(c.Type, id, fieldType)
		add(c.Nullable, id, fieldNullable)
		add(c.Default, id, fieldDefault)
		add(c.Identity, id, fieldIdentity)
		add(c.Computed, id, fieldComputed)
		add(c.Collation, id, fieldCollation)
		add(c.Comment, id, fieldComment)
		add(c.Options, id, fieldOptions)
	}
	for _, p := range d.ForeignKeys {
		add(true, either(p).ID, "")
	}
	for _, p := range d.Indexes {
		add(true, either(p).ID, "")
	}
	for _, p := range d.Checks {
		add(true, either(p).ID, "")
	}
	return keys
}

func either[T any](p designer.PartDiff[T]) *T {
	if p.To != nil {
		return p.To
	}
	return p.From
}

// partsOf are the ids of a table's parts.
func partsOf(t *designer.Table) map[designer.ID]bool {
	ids := map[designer.ID]bool{}
	if t == nil {
		return ids
	}
	for _, c := range t.Columns {
		ids[c.ID] = true
	}
	for _, k := range t.ForeignKeys {
		ids[k.ID] = true
	}
	for _, x := range t.Indexes {
		ids[x.ID] = true
	}
	for _, k := range t.Checks {
		ids[k.ID] = true
	}
	return ids
}
