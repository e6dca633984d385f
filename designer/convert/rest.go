package convert

import (
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// quiet are options that are specific to a dialect's implementation or
// represented elsewhere: leaving them out loses nothing that another dialect
// could have.
var quiet = map[string]bool{
	"default_name": true, "clustered": true, "fill_factor": true, "pad_index": true, "not_trusted": true, // SQL Server
	"identity": true, "sequence_type": true, "statistics": true, "storage": true, "cache": true, "min_value": true, "max_value": true, // PostgreSQL
	"check":         true,                    // MariaDB: converted
	"without_rowid": true, "key_order": true, // SQLite
}

// options notes what the options of a part say that no other dialect has.
func (c *converter) options(t *table, part string, options map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if !quiet[key] {
			c.note(t, part, "%s %s is left out: it is %s's own", strings.ReplaceAll(key, "_", " "), excerpt(options[key]), c.from.Title)
		}
	}
}

func (c *converter) columnOptions(t *table, old designer.Column) { c.options(t, old.Name, old.Options) }

// tableRest converts a table's comment and notes what else it has.
func (c *converter) tableRest(t *table) {
	t.out.Comment = t.old.Comment
	if t.old.Comment != "" && !c.can().comments {
		t.out.Comment = ""
		c.note(t, "", "the comment is left out: %s keeps none", c.to.Title)
	}
	c.options(t, "", t.old.Options)
	if len(t.old.Triggers) > 0 {
		c.note(t, "", "the triggers %s are left out: they are written in the SQL of %s", excerpt(strings.Join(t.old.Triggers, ", ")), c.from.Title)
	}
	if len(t.old.Columns) == 0 {
		c.note(t, "", "the table has no columns yet")
	}
}

// identity keeps identity columns if the other dialect supports them.
func (c *converter) identity(t *table) {
	one := false
	for i, old := range t.old.Columns {
		col := &t.out.Columns[i]
		if !col.IsIdentity {
			continue
		}
		drop := func(why string) {
			c.note(t, old.Name, "the column is no longer an identity column: %s", why)
			col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = false, 0, 0
		}
		info, known := c.to.Type(col.DataType)
		switch {
		case one:
			drop("a table can have only one")
			continue
		case c.to.Identity.Place == designer.IdentityIsKey && !slices.Equal(keyOf(t), []string{col.Name}):
			drop("in " + c.to.Title + " only a single-column primary key can be one")
			continue
		case !known || !info.Identity:
			if !c.retype(t, col, old) {
				drop("a column of type " + c.to.TypeText(*col) + " cannot be one")
				continue
			}
		}
		one = true
		if c.can().fromOne && (col.IdentitySeed != 1 || col.IdentityIncrement != 1) {
			c.note(t, old.Name, "the column counts from 1 by 1, not from %d by %d", col.IdentitySeed, col.IdentityIncrement)
			col.IdentitySeed, col.IdentityIncrement = 1, 1
		}
	}
}

// keyOf are the new names of the primary key's columns.
func keyOf(t *table) []string {
	if t.old.PrimaryKey == nil {
		return nil
	}
	out := make([]string, len(t.old.PrimaryKey.Columns))
	for i, name := range t.old.PrimaryKey.Columns {
		out[i] = t.columns[name]
	}
	return out
}

// retype gives an identity column a type that supports it.
func (c *converter) retype(t *table, col *designer.Column, old designer.Column) bool {
	for _, kind := range []designer.TypeKind{designer.KindInt64, designer.KindInt32} {
		info, ok := c.to.TypeOfKind(kind)
		if !ok || !info.Identity {
			continue
		}
		was := *col
		col.DataType, col.MaxLength, col.Precision, col.Scale = info.Name, "", 0, 0
		if c.kindIn(was) == designer.KindDecimal || !isNumber(c.kindIn(was)) {
			c.note(t, old.Name, "%s becomes %s, which can be an identity column", c.to.TypeText(was), c.to.TypeText(*col))
		}
		return true
	}
	return false
}

// leadKeys makes sure that identity columns are the first of a key or an index.
func (c *converter) leadKeys(t *table) {
	for _, col := range t.out.Columns {
		if col.IsIdentity && c.to.Identity.Place == designer.IdentityLeadsKey {
			c.leadKey(t, col.Name)
		}
	}
}

func (c *converter) leadKey(t *table, name string) {
	first := func(columns []string) bool { return len(columns) > 0 && columns[0] == name }
	if first(keyOf(t)) || slices.ContainsFunc(t.out.Indexes, func(x designer.IndexDefinition) bool { return first(columnsOf(x)) }) {
		return
	}
	index := c.free(t.out.Schema, "IX_"+t.out.Name+"_"+name, relations)
	t.out.Indexes = append(t.out.Indexes, designer.IndexDefinition{Name: index, Parts: []designer.IndexKeyDefinition{{Column: name}}})
	c.note(t, name, "index %s is added: %s requires one for an identity column", index, c.to.Title)
}

// fitRow makes the longest texts of a table unlimited until a row is not
// longer than the other dialect allows.
func (c *converter) fitRow(t *table) {
	most := c.can().rowBytes
	if most == 0 {
		return
	}
	for {
		sum, longest := 0, -1
		for i := range t.out.Columns {
			n := c.bytesOf(t, t.out.Columns[i].Name)
			sum += n
			if n > 0 && !t.key[t.old.Columns[i].Name] && (longest < 0 || n > c.bytesOf(t, t.out.Columns[longest].Name)) {
				longest = i
			}
		}
		if sum <= most || longest < 0 {
			return
		}
		col := &t.out.Columns[longest]
		was := c.to.TypeText(*col)
		open := c.openText(nil)
		col.DataType, col.MaxLength = open.DataType, open.MaxLength
		if strings.HasPrefix(col.DefaultValue, "'") {
			col.DefaultValue = "(" + col.DefaultValue + ")"
		}
		c.note(t, t.old.Columns[longest].Name, "%s becomes %s: a row of %s would be too long", was, c.to.TypeText(*col), c.to.Title)
	}
}

// leftOut adds notes for everything besides the tables.
func (c *converter) leftOut() {
	for _, v := range c.def.Views {
		c.notes = append(c.notes, "view "+qualified(v.Schema, v.Name)+": left out, it is written in the SQL of "+c.from.Title)
	}
	for _, o := range c.def.Objects {
		if o.Kind == designer.ObjectTrigger && c.hasTrigger(o.Name) ||
			o.Kind == designer.ObjectSequence && o.Table != "" || o.Kind == designer.ObjectType && c.unfolded[o.Schema+"."+o.Name] {
			continue // said with the table or column
		}
		c.notes = append(c.notes, string(o.Kind)+" "+qualified(o.Schema, o.Name)+": left out, it is "+c.from.Title+"'s own")
	}
}

func (c *converter) hasTrigger(name string) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool { return slices.Contains(t.old.Triggers, name) })
}

func qualified(schema, name string) string {
	if schema == "" {
		return name
	}
	return schema + "." + name
}
