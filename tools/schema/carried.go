package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// maxDefinition bounds the statement of a view, a partition or a virtual
// table, in bytes.
const maxDefinition = 4 << 10

// carriedDetail is what get_table says of a relation that a design carries
// and no edit changes: a partition, a view, a foreign or a virtual table.
type carriedDetail struct {
	Kind       string `json:"kind"`                  // "partition", "view", "materialized view", "virtual table", "foreign table"
	Of         string `json:"partitionOf,omitempty"` // of a partition: its table, whose columns it has
	Definition string `json:"definition,omitempty"`  // only in full
	Unreadable string `json:"unreadable,omitempty"`  // why the database did not describe it
}

// carriedTable describes the carried relation that ref names; nil if there is
// none.
func carriedTable(s *designer.Schema, ref designer.TableRef, o requestOptions) *tableDetail {
	schema := ref.Schema
	if schema == "" {
		schema = s.DefaultSchema()
	}
	named := func(otherSchema, other string) bool {
		return strings.EqualFold(ref.Name, other) && strings.EqualFold(schema, cmp.Or(otherSchema, s.DefaultSchema()))
	}
	describe := func(schema, name string, d carriedDetail) *tableDetail {
		if o.IncludeColumns != columnsFull {
			d.Definition = ""
		}
		d.Definition = clip.Text(d.Definition, maxDefinition)
		return &tableDetail{Schema: schema, Name: name, carriedDetail: &d}
	}
	for _, v := range s.Views() {
		if named(v.Schema, v.Name) {
			return describe(v.Schema, v.Name, carriedDetail{Kind: kindOf(v), Definition: v.Definition, Unreadable: clip.Text(v.Options[designer.OptionUnreadable], maxTarget)})
		}
	}
	for _, p := range s.Objects() {
		if p.Kind == designer.ObjectPartition && named(p.Schema, p.Name) {
			of, _ := partitionText(p.Definition)
			return describe(p.Schema, p.Name, carriedDetail{Kind: string(p.Kind), Of: cmp.Or(of, p.Table), Definition: p.Definition})
		}
	}
	return nil
}

// carriedName names a carried relation.
type carriedName struct {
	Kind   string `json:"kind"`
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`
}

// carriedNames lists the carried relations: what is a view or the like, then
// the partitions.
func carriedNames(s *designer.Schema) []carriedName {
	var list []carriedName
	for _, v := range s.Views() {
		list = append(list, carriedName{kindOf(v), v.Schema, v.Name})
	}
	for _, o := range s.Objects() {
		if o.Kind == designer.ObjectPartition {
			list = append(list, carriedName{string(o.Kind), o.Schema, o.Name})
		}
	}
	return list
}

// kindOf says what a view is, in words.
func kindOf(v designer.View) string {
	switch {
	case v.Options[designer.OptionUnreadTable] != "":
		return "unreadable table"
	case v.Options[designer.OptionUnreadable] != "":
		return "unreadable view"
	case strings.HasPrefix(v.Definition, "CREATE FOREIGN TABLE"):
		return "foreign table"
	case strings.HasPrefix(v.Definition, "CREATE VIRTUAL TABLE"):
		return "virtual table"
	case strings.HasPrefix(v.Definition, "CREATE MATERIALIZED VIEW"):
		return "materialized view"
	}
	return "view"
}

// partition is one partition of a table, with what its rows have in common.
type partition struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`
	Bounds string `json:"bounds,omitempty"` // "FOR VALUES IN (1)", "DEFAULT", and how it is partitioned itself
}

// partitionsOf lists the partitions of a table, not those of its partitions.
func partitionsOf(objects []designer.Object, table *designer.Table) []partition {
	var list []partition
	for _, o := range objects {
		if o.Kind != designer.ObjectPartition || o.Table != table.Name {
			continue
		}
		if of, bounds := partitionText(o.Definition); of == "" || of == table.Schema+"."+table.Name {
			list = append(list, partition{Schema: o.Schema, Name: o.Name, Bounds: clip.Text(bounds, maxTarget)})
		}
	}
	return list
}

// partitionText takes a partition's statement apart: the table it belongs to,
// without quotes, and its bounds. Both are "" where it is another statement.
func partitionText(statement string) (of, bounds string) {
	_, rest, ok := strings.Cut(statement, " PARTITION OF ")
	if !ok {
		return "", ""
	}
	at := strings.Index(rest, " FOR VALUES ")
	if at < 0 {
		at = strings.Index(rest, " DEFAULT")
	}
	if at < 0 {
		return "", ""
	}
	return unquoted(rest[:at]), rest[at+1:]
}

// unquoted returns a name, as SQL has it, without the quotes.
func unquoted(name string) string { return strings.ReplaceAll(name, `"`, "") }

// childrenOf names the tables that inherit from a table.
func childrenOf(s *designer.Schema, table *designer.Table) []designer.TableName {
	var children []designer.TableName
	for _, t := range s.Tables() {
		from := strings.Split(unquoted(t.Options["inherits"]), ", ")
		if slices.Contains(from, table.Schema+"."+table.Name) {
			children = append(children, designer.TableName{Schema: t.Schema, Name: t.Name})
		}
	}
	return children
}
