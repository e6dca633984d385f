package designer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Overlay completes a definition that was read from a format which cannot
// express everything. said is what the same format says of s. Where imported
// agrees with said, the result is as s has it: an unchanged export leads back
// to s, and a change to what the format does express leaves the rest alone. A
// part of s that said does not have stays too. Tables are matched by name, and
// parts by name or, without one, by what they are about.
//
// A column whose type is of another family than before is taken as imported
// has it, because what s knows of it belongs to the old type.
func (s *Schema) Overlay(said, imported Definition) Definition {
	own := s.Definition()
	imported.Tables = slices.Clone(imported.Tables)
	for i, t := range imported.Tables {
		old, was := s.definedAs(own, t), s.definedAs(said, t)
		if old != nil && was != nil {
			imported.Tables[i] = s.overlayTable(*old, *was, t)
		}
	}
	return imported
}

// definedAs is the table of d that has t's name: in the same spelling, or else
// in the only other one.
func (s *Schema) definedAs(d Definition, t TableDefinition) (found *TableDefinition) {
	key, others := s.keyOf(t.Schema, t.Name), 0
	for i := range d.Tables {
		c := &d.Tables[i]
		if s.keyOf(c.Schema, c.Name) != key {
			continue
		}
		if c.Name == t.Name {
			return c
		}
		found, others = c, others+1
	}
	if others > 1 {
		return nil
	}
	return found
}

func (s *Schema) overlayTable(old, said, imported TableDefinition) TableDefinition {
	out := imported
	if said.Comment == imported.Comment {
		out.Comment = old.Comment
	}
	out.Options = overlayOptions(old.Options, said.Options, imported.Options)
	out.Columns = overlayParts(old.Columns, said.Columns, imported.Columns, s.overlayColumn,
		func(c Column) string { return c.Name })
	if old.PrimaryKey != nil && said.PrimaryKey != nil && imported.PrimaryKey != nil {
		key := overlayFields(*old.PrimaryKey, *said.PrimaryKey, *imported.PrimaryKey)
		out.PrimaryKey = &key
	}
	out.ForeignKeys = overlayParts(old.ForeignKeys, said.ForeignKeys, imported.ForeignKeys, overlayFields,
		func(k ForeignKeyDefinition) string { return k.Name }, ForeignKeyDefinition.about)
	out.Indexes = overlayParts(old.Indexes, said.Indexes, imported.Indexes, overlayIndex,
		func(x IndexDefinition) string { return x.Name }, IndexDefinition.about)
	out.Checks = overlayParts(old.Checks, said.Checks, imported.Checks, overlayFields,
		func(k CheckDefinition) string { return k.Name }, func(k CheckDefinition) string { return k.Expression })
	return out
}

func (s *Schema) overlayColumn(old, said, imported Column) Column {
	if !strings.EqualFold(said.DataType, imported.DataType) {
		before, _ := s.dialect.Type(said.DataType)
		after, _ := s.dialect.Type(imported.DataType)
		if before == nil || after == nil || before.Family != after.Family {
			return imported
		}
	}
	return overlayFields(old, said, imported)
}

func overlayIndex(old, said, imported IndexDefinition) IndexDefinition {
	out := overlayFields(old, said, imported)
	out.Parts = overlayParts(old.Parts, said.Parts, imported.Parts, overlayFields,
		func(p IndexKeyDefinition) string { return p.Column }, func(p IndexKeyDefinition) string { return p.Expression })
	return out
}

// about names a foreign key by its columns and the table it references.
func (k ForeignKeyDefinition) about() string {
	parts := []string{k.ReferencedTable.Name}
	for _, m := range k.Mappings {
		parts = append(parts, m.Column, m.ReferencedColumn)
	}
	return strings.Join(parts, "\x00")
}

// about names an index by its columns and expressions.
func (x IndexDefinition) about() string {
	var parts []string
	for _, p := range x.Parts {
		parts = append(parts, p.Column, p.Expression)
	}
	return strings.Join(parts, "\x00")
}

// overlayParts joins the parts of three states of one table, in the order of
// imported. What old has and said has not follows what it follows in old.
// names are the ways to name a part, the best first; "" is no name.
func overlayParts[T any](old, said, imported []T, join func(old, said, imported T) T, names ...func(T) string) []T {
	oldOf := pairs(said, old, names)
	var out []T
	at := make(map[int]int, len(old)) // of a part of old, its place in out
	for _, part := range imported {
		if was := findPart(said, part, names); was >= 0 {
			if is, ok := oldOf[was]; ok {
				at[is] = len(out)
				part = join(old[is], said[was], part)
			}
		}
		out = append(out, part)
	}
	expressed := slices.Collect(maps.Values(oldOf))
	for i, part := range old {
		if slices.Contains(expressed, i) {
			continue
		}
		place := 0
		if before, is := at[i-1]; is {
			place = before + 1
		}
		out = slices.Insert(out, place, part)
		for k, v := range at {
			if v >= place {
				at[k] = v + 1
			}
		}
		at[i] = place
	}
	return out
}

// pairs maps the parts of said to those of old that they stand for. Parts that
// are left, because they have no name and are written in another way, belong
// together by their order if there are as many in both.
func pairs[T any](said, old []T, names []func(T) string) map[int]int {
	out := make(map[int]int, len(said))
	var lone []int
	free := make([]bool, len(old))
	for i := range free {
		free[i] = true
	}
	for i, part := range said {
		if is := findPart(old, part, names); is >= 0 && free[is] {
			out[i], free[is] = is, false
		} else {
			lone = append(lone, i)
		}
	}
	var left []int
	for i := range old {
		if free[i] {
			left = append(left, i)
		}
	}
	if len(lone) == len(left) {
		for i := range lone {
			out[lone[i]] = left[i]
		}
	}
	return out
}

// findPart returns the place in list of the part that has a name of part's, or
// -1.
func findPart[T any](list []T, part T, names []func(T) string) int {
	for _, name := range names {
		if n := name(part); n != "" {
			if at := slices.IndexFunc(list, func(p T) bool { return name(p) == n }); at >= 0 {
				return at
			}
		}
	}
	return -1
}

// overlayFields takes each field of imported that differs from said, and the
// others of old.
func overlayFields[T any](old, said, imported T) T {
	o, was, now := reflect.ValueOf(&old).Elem(), reflect.ValueOf(said), reflect.ValueOf(imported)
	for i := range o.NumField() {
		a, b := was.Field(i).Interface(), now.Field(i).Interface()
		if reflect.DeepEqual(a, b) {
			continue
		}
		if options, is := o.Field(i).Interface().(map[string]string); is {
			o.Field(i).Set(reflect.ValueOf(overlayOptions(options, a.(map[string]string), b.(map[string]string))))
			continue
		}
		o.Field(i).Set(now.Field(i))
	}
	return old
}

// overlayOptions does the same for options, key by key.
func overlayOptions(old, said, imported map[string]string) map[string]string {
	out := maps.Clone(old)
	for key := range said {
		if _, is := imported[key]; !is {
			delete(out, key)
		}
	}
	for key, value := range imported {
		if was, is := said[key]; !is || was != value {
			if out == nil {
				out = map[string]string{}
			}
			out[key] = value
		}
	}
	return out
}
