package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// findKeyColumns marks the columns that keys and indexes have, on both sides
// of foreign keys.
func (c *converter) findKeyColumns() {
	for _, t := range c.tables {
		t.key = map[string]bool{}
	}
	for _, t := range c.tables {
		if t.old.PrimaryKey != nil {
			for _, name := range t.old.PrimaryKey.Columns {
				t.key[name] = true
			}
		}
		for _, x := range t.old.Indexes {
			if !c.ordinary(x) {
				continue
			}
			for _, p := range x.Parts {
				t.key[p.Column] = true
			}
		}
		for _, k := range t.old.ForeignKeys {
			target := c.find(k.ReferencedTable)
			for _, m := range k.Mappings {
				t.key[m.Column] = true
				if target != nil {
					target.key[target.column(m.ReferencedColumn)] = true
				}
			}
		}
	}
}

// ordinary reports whether an index is one that every dialect has: for finding
// and ordering rows by values.
func (c *converter) ordinary(x designer.IndexDefinition) bool {
	return x.Method == "" || strings.EqualFold(x.Method, "btree") || strings.EqualFold(x.Method, "hash")
}

// keys converts the primary key and the indexes of a table.
func (c *converter) keys(t *table) {
	if k := t.old.PrimaryKey; k != nil {
		key := &designer.KeyDefinition{}
		for _, name := range k.Columns {
			key.Columns = append(key.Columns, t.columns[name])
			t.out.Columns[t.at[name]].IsNullable = false
		}
		if !c.can().plainNames && !c.had().plainNames {
			key.Name = c.partName(t, "primary key", k.Name, relations, constraints)
		}
		t.out.PrimaryKey = key
		c.options(t, "primary key", k.Options)
		c.caseOf(t, "primary key", k.Columns)
	}
	for _, x := range t.old.Indexes {
		c.index(t, x)
	}
}

func (c *converter) index(t *table, x designer.IndexDefinition) {
	label := labelOf(x.Name, "unique", columnsOf(x))
	drop := func(why string) { c.note(t, label, "the index is left out: %s", why) }
	if !c.ordinary(x) {
		drop("an index of type " + x.Method + " is another thing elsewhere")
		return
	}
	out := designer.IndexDefinition{Unique: x.Unique, Constraint: x.Constraint}
	for _, p := range x.Parts {
		part, why := c.indexPart(t, label, p)
		if why != "" {
			drop(why)
			return
		}
		if part.Descending && x.Constraint && c.to.Indexes.UnorderedConstraints {
			part.Descending = false
			c.note(t, label, "the descending order of %s is left out: a unique constraint of %s has none", p.Column, c.to.Title)
		}
		out.Parts = append(out.Parts, part)
	}
	if x.Where != "" && !c.where(t, label, x, &out) {
		return
	}
	if len(x.Include) > 0 {
		c.include(t, label, x, &out)
	}
	if strings.EqualFold(x.Method, "hash") {
		c.note(t, label, "the index is an ordinary one, not of type hash")
	}
	c.options(t, label, x.Options)
	c.uniqueness(t, label, x)
	if x.Unique {
		c.caseOf(t, label, columnsOf(x))
	}
	c.shortenParts(t, label, &out)
	out.Name = c.indexName(t, x)
	t.out.Indexes = append(t.out.Indexes, out)
}

func (c *converter) indexName(t *table, x designer.IndexDefinition) string {
	in := []nameSpace{relations}
	if x.Constraint {
		in = append(in, constraints)
	}
	if x.Name != "" || c.to.Name == "sqlite" {
		return c.partName(t, "index", x.Name, in...)
	}
	name := "UQ_" + t.out.Name
	for _, p := range x.Parts {
		name += "_" + p.Column
	}
	return c.free(t.out.Schema, name, in...)
}

// indexPart converts one key of an index; why, if not empty, says why that is
// not possible.
func (c *converter) indexPart(t *table, label string, p designer.IndexKeyDefinition) (out designer.IndexKeyDefinition, why string) {
	out.Descending = p.Descending
	if p.Column == "" {
		text, ok := c.expression(t, p.Expression, inKey)
		switch {
		case !c.can().expressions:
			return out, c.to.Title + " has no index on an expression, " + excerpt(p.Expression)
		case !ok:
			return out, "the expression " + excerpt(p.Expression) + " has no equivalent in " + c.to.Title
		}
		out.Expression = text
	} else {
		name := t.column(p.Column)
		out.Column = t.columns[name]
		if kind := c.kindIn(t.out.Columns[t.at[name]]); !indexable(kind) {
			return out, "column " + p.Column + " is of a type that " + c.to.Title + " does not index"
		}
	}
	for _, lost := range []struct{ what, value string }{
		{"collation", p.Collation}, {"nulls", p.Nulls}, {"operator class", p.OpClass},
	} {
		if lost.value != "" {
			c.note(t, label, "%s %s of %s is left out", lost.what, lost.value, cmp.Or(p.Column, excerpt(p.Expression)))
		}
	}
	if p.Length > 0 {
		c.note(t, label, "the index is on the whole of %s, not on its first %d", p.Column, p.Length)
	}
	return out, ""
}

// kindIn is what a column of the other dialect holds.
func (c *converter) kindIn(col designer.Column) designer.TypeKind {
	if info, known := c.to.Type(col.DataType); known {
		if strings.EqualFold(col.MaxLength, "max") {
			return designer.KindText
		}
		return info.Kind
	}
	return ""
}

func indexable(k designer.TypeKind) bool {
	return !slices.Contains([]designer.TypeKind{designer.KindJSON, designer.KindXML, designer.KindGeometry, designer.KindGeography}, k)
}

// where converts the condition of a partial index. If that is not possible, a
// unique index is left out, because without the condition it would refuse valid
// rows; any other index becomes an index of all rows.
func (c *converter) where(t *table, label string, x designer.IndexDefinition, out *designer.IndexDefinition) bool {
	text, ok := c.expression(t, x.Where, inWhere)
	if ok && !c.to.Indexes.WholeTable {
		out.Where = text
		return true
	}
	why := "its condition " + excerpt(x.Where) + " has no equivalent in " + c.to.Title
	if c.to.Indexes.WholeTable {
		why = c.to.Title + " has no partial indexes; its condition was " + excerpt(x.Where)
	}
	if x.Unique {
		c.note(t, label, "the unique index is left out: %s", why)
		return false
	}
	c.note(t, label, "the index is on all rows: %s", why)
	return true
}

func (c *converter) include(t *table, label string, x designer.IndexDefinition, out *designer.IndexDefinition) {
	if !c.can().include {
		c.note(t, label, "the index does not store %s beside its key: %s has no such indexes", strings.Join(x.Include, ", "), c.to.Title)
		return
	}
	for _, name := range x.Include {
		out.Include = append(out.Include, t.columns[t.column(name)])
	}
}

// uniqueness adds notes where a unique key treats NULL differently.
func (c *converter) uniqueness(t *table, label string, x designer.IndexDefinition) {
	if !x.Unique || c.can().manyNulls == c.had().manyNulls {
		return
	}
	for _, p := range x.Parts {
		name := t.column(p.Column)
		if name == "" || !t.old.Columns[t.at[name]].IsNullable {
			continue
		}
		if c.can().manyNulls {
			c.note(t, label, "several rows may have no %s: a unique key of %s takes NULL more than once", p.Column, c.to.Title)
		} else {
			c.note(t, label, "only one row may have no %s: a unique key of %s takes NULL once", p.Column, c.to.Title)
		}
		return
	}
}

// caseOf notes where a unique key treats texts that differ in case differently.
// Where a column has a collation, that this is left out says it.
func (c *converter) caseOf(t *table, label string, columns []string) {
	if c.can().foldsCase == c.had().foldsCase {
		return
	}
	var texts []string
	for _, column := range columns {
		name := t.column(column)
		if name != "" && t.old.Columns[t.at[name]].Collation == "" && c.sortOf(t.out.Columns[t.at[name]]) == isText {
			texts = append(texts, column)
		}
	}
	if len(texts) == 0 {
		return
	}
	are := "two"
	if c.can().foldsCase {
		are = "one"
	}
	c.note(t, label, "values of %s that differ in case only are %s: that is how %s compares texts, unless their collation says otherwise",
		strings.Join(texts, ", "), are, c.to.Title)
}

// shortenParts indexes the beginnings of texts where the whole is more than an
// index can hold.
func (c *converter) shortenParts(t *table, label string, out *designer.IndexDefinition) {
	can := c.can()
	if can.keyBytes == 0 {
		return
	}
	bytes, texts := 0, 0
	for _, p := range out.Parts {
		if n := c.bytesOf(t, p.Column); n > 0 {
			bytes, texts = bytes+n, texts+1
		} else {
			bytes += 8
		}
	}
	if bytes <= can.keyBytes || texts == 0 {
		return
	}
	most := (can.keyBytes - 8*(len(out.Parts)-texts)) / can.charBytes / texts
	for i := range out.Parts {
		p := &out.Parts[i]
		if n := c.bytesOf(t, p.Column); n > most*can.charBytes {
			p.Length = most
			c.note(t, label, "the index is on the first %d characters of %s: %s holds no more", most, p.Column, c.to.Title)
		}
	}
	out.Constraint = false // a constraint is on the whole
}

// bytesOf is how many bytes a bounded text of the result has at most, 0 for
// what is none.
func (c *converter) bytesOf(t *table, name string) int {
	for _, col := range t.out.Columns {
		if col.Name != name {
			continue
		}
		n, err := strconv.Atoi(col.MaxLength)
		kind := c.kindIn(col)
		switch {
		case err != nil:
			return 0
		case kind == designer.KindVarchar || kind == designer.KindChar:
			return n * max(c.can().charBytes, 1)
		}
		return n
	}
	return 0
}
