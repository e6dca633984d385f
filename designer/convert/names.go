package convert

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
)

// nameTables gives every table its schema and name. Where the other dialect
// has no schemas, all tables are in one, those of the default schema first to
// choose their names.
func (c *converter) nameTables() {
	c.taken = map[nameKey]bool{}
	isDefault := func(t designer.TableDefinition) bool {
		return t.Schema == "" || strings.EqualFold(t.Schema, c.s.DefaultSchema())
	}
	for _, td := range c.def.Tables {
		t := &table{old: td, label: td.Name}
		if !isDefault(td) {
			t.label = td.Schema + "." + td.Name
		}
		c.tables = append(c.tables, t)
		c.byRef[[2]string{td.Schema, td.Name}] = t
	}
	for _, inDefault := range []bool{true, false} {
		for _, t := range c.tables {
			if isDefault(t.old) == inDefault {
				c.nameTable(t, inDefault)
			}
		}
	}
}

func (c *converter) nameTable(t *table, inDefault bool) {
	schema, name := "", t.old.Name
	if !inDefault && !c.to.Schemas.Fixed {
		schema = c.fitted(t.old.Schema)
		if schema != t.old.Schema {
			c.note(t, "", "schema %s is too long a name: it becomes %s", t.old.Schema, schema)
		}
	}
	if !inDefault && c.to.Schemas.Fixed {
		c.note(t, "", "%s has no schemas: the table is among the others", c.to.Title)
		if c.taken[nameKey{relations, "", designer.Fold(name)}] {
			name = t.old.Schema + "_" + name
		}
	}
	for _, p := range c.to.Names.ReservedPrefixes {
		if len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) {
			name = "t_" + name
		}
	}
	t.out.Schema = schema
	t.out.Name = c.free(schema, name, relations, constraints)
	if t.out.Name != t.old.Name {
		c.note(t, "", "the table becomes %s", t.out.Name)
	}
}

// nameSpace is a set of names that must differ from each other. Dialects divide
// names differently; a name that is free here is free in all of them.
type nameSpace byte

const (
	relations   nameSpace = 'r' // tables, indexes, primary and unique keys
	constraints nameSpace = 'c' // tables, primary, unique and foreign keys, checks
)

type nameKey struct {
	space        nameSpace
	schema, name string // folded
}

// free returns name, cut and numbered so that nothing in these spaces of the
// schema is called so, and takes it.
func (c *converter) free(schema, name string, in ...nameSpace) string {
	used := func(out string) bool {
		return slices.ContainsFunc(in, func(s nameSpace) bool { return c.taken[nameKey{s, designer.Fold(schema), designer.Fold(out)}] })
	}
	out := c.fitted(name)
	for n := 2; used(out); n++ {
		suffix := "_" + strconv.Itoa(n)
		out = c.cut(name, len(suffix)) + suffix
	}
	for _, s := range in {
		c.taken[nameKey{s, designer.Fold(schema), designer.Fold(out)}] = true
	}
	return out
}

// fitted returns the name, cut to what the other dialect allows.
func (c *converter) fitted(name string) string { return c.cut(name, 0) }

func (c *converter) cut(name string, room int) string {
	if c.to.Names.BasicPlane {
		name = withoutPlanes(name, '_')
	}
	length := utf8.RuneCountInString
	if c.to.Names.InBytes {
		length = func(s string) int { return len(s) }
	}
	for c.to.Names.MaxLength > 0 && length(name) > c.to.Names.MaxLength-room {
		_, size := utf8.DecodeLastRuneInString(name)
		name = strings.TrimSpace(name[:len(name)-size])
	}
	return name
}

// nameColumns gives every column its name: cut to what fits, and numbered
// where two differ in case only, which is one name elsewhere.
func (c *converter) nameColumns(t *table) {
	t.columns, t.folded, t.at = map[string]string{}, map[string][]string{}, map[string]int{}
	taken := map[string]bool{}
	for i, col := range t.old.Columns {
		name := c.fitted(col.Name)
		for n := 2; taken[designer.Fold(name)]; n++ {
			suffix := "_" + strconv.Itoa(n)
			name = c.cut(col.Name, len(suffix)) + suffix
		}
		taken[designer.Fold(name)] = true
		if name != col.Name {
			c.note(t, col.Name, "the column becomes %s", name)
		}
		t.columns[col.Name], t.at[col.Name] = name, i
		t.folded[designer.Fold(col.Name)] = append(t.folded[designer.Fold(col.Name)], col.Name)
	}
}

// partName is the name of a key, index or check in the result; "" stays "".
func (c *converter) partName(t *table, what, name string, in ...nameSpace) string {
	if name == "" {
		return ""
	}
	out := c.free(t.out.Schema, name, in...)
	if out != name {
		c.note(t, name, "the %s becomes %s", what, out)
	}
	return out
}
