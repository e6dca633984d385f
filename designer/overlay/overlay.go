// Package overlay reads a text that cannot say everything over what is known:
// what a format cannot express stays as a design has it. It is pure, and knows
// no format.
//
//	design ─▶ what the format says of it (said) ─┐
//	text ───▶ what it says (imported) ───────────┴▶ Definition ─▶ the design's, changed where the two differ
//
// Start from [Definition].
package overlay

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Definition completes a definition that was read from a format which cannot
// express everything. said is what the same format says of s. Where imported
// agrees with said, the result is as s has it: an unchanged export leads back
// to s, and a change to what the format does express leaves the rest alone. A
// part of s that said does not have stays too. Tables are matched by name, and
// parts by name or, without one, by what they are about.
//
// A column whose type is of another family than before is taken as imported
// has it, because what s knows of it belongs to the old type.
func Definition(s *designer.Schema, said, imported designer.Definition) designer.Definition {
	own := s.Definition()
	imported.Tables = slices.Clone(imported.Tables)
	for i, t := range imported.Tables {
		old, was := definedAs(s, own, t), definedAs(s, said, t)
		if old != nil && was != nil {
			imported.Tables[i] = overlayTable(s, *old, *was, t)
		}
	}
	return imported
}

// definedAs is the table of d that has t's name: in the same spelling, or else
// in the only other one.
func definedAs(s *designer.Schema, d designer.Definition, t designer.TableDefinition) (found *designer.TableDefinition) {
	name, others := designer.TableName{Schema: t.Schema, Name: t.Name}, 0
	for i := range d.Tables {
		c := &d.Tables[i]
		if !s.SameName(designer.TableName{Schema: c.Schema, Name: c.Name}, name) {
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

func overlayTable(s *designer.Schema, old, said, imported designer.TableDefinition) designer.TableDefinition {
	out := imported
	if said.Comment == imported.Comment {
		out.Comment = old.Comment
	}
	out.Options = overlayOptions(old.Options, said.Options, imported.Options)
	out.Columns = overlayParts(old.Columns, said.Columns, imported.Columns, func(old, said, imported designer.Column) designer.Column {
		return overlayColumn(s, old, said, imported)
	},
		func(c designer.Column) string { return c.Name })
	if old.PrimaryKey != nil && said.PrimaryKey != nil && imported.PrimaryKey != nil {
		key := overlayFields(*old.PrimaryKey, *said.PrimaryKey, *imported.PrimaryKey)
		out.PrimaryKey = &key
	}
	out.ForeignKeys = overlayParts(old.ForeignKeys, said.ForeignKeys, imported.ForeignKeys, overlayFields,
		func(k designer.ForeignKeyDefinition) string { return k.Name }, foreignKeyAbout)
	out.Indexes = overlayParts(old.Indexes, said.Indexes, imported.Indexes, overlayIndex,
		func(x designer.IndexDefinition) string { return x.Name }, indexAbout)
	out.Checks = overlayParts(old.Checks, said.Checks, imported.Checks, overlayFields,
		func(k designer.CheckDefinition) string { return k.Name }, func(k designer.CheckDefinition) string { return k.Expression })
	return out
}

func overlayColumn(s *designer.Schema, old, said, imported designer.Column) designer.Column {
	if !strings.EqualFold(said.DataType, imported.DataType) {
		before, _ := s.Dialect().Type(said.DataType)
		after, _ := s.Dialect().Type(imported.DataType)
		if before == nil || after == nil || before.Family != after.Family {
			return imported
		}
	}
	return overlayFields(old, said, imported)
}

func overlayIndex(old, said, imported designer.IndexDefinition) designer.IndexDefinition {
	out := overlayFields(old, said, imported)
	out.Parts = overlayParts(old.Parts, said.Parts, imported.Parts, overlayFields,
		func(p designer.IndexKeyDefinition) string { return p.Column }, func(p designer.IndexKeyDefinition) string { return p.Expression })
	return out
}

// foreignKeyAbout names a foreign key by its columns and the table it references.
func foreignKeyAbout(k designer.ForeignKeyDefinition) string {
	parts := []string{k.ReferencedTable.Name}
	for _, m := range k.Mappings {
		parts = append(parts, m.Column, m.ReferencedColumn)
	}
	return strings.Join(parts, "\x00")
}

// indexAbout names an index by its columns and expressions.
func indexAbout(x designer.IndexDefinition) string {
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
