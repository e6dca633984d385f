package convert

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// link is a foreign key being converted.
type link struct {
	from, to     *table
	own, foreign []string // old names
	def          designer.ForeignKeyDefinition
}

func (c *converter) links(t *table) []link {
	var out []link
	for _, k := range t.old.ForeignKeys {
		l := link{from: t, to: c.find(k.ReferencedTable), def: k}
		for _, m := range k.Mappings {
			own := t.column(m.Column)
			foreign := ""
			if l.to != nil {
				foreign = l.to.column(m.ReferencedColumn)
			}
			if foreign == "" {
				l.to = nil
			}
			l.own, l.foreign = append(l.own, own), append(l.foreign, foreign)
		}
		out = append(out, l)
	}
	return out
}

// pairTypes changes the type of referring columns to that of the referenced
// ones if the other dialect does not accept the pair. It repeats this along
// chains of foreign keys until nothing changes.
func (c *converter) pairTypes() {
	changed := map[[2]string]designer.Column{} // what it was, by table and column
	for range len(c.tables) + 1 {
		again := false
		for _, t := range c.tables {
			for _, l := range c.links(t) {
				for i := range l.own {
					again = c.pair(l, i, changed) || again
				}
			}
		}
		if !again {
			break
		}
	}
	for _, t := range c.tables {
		for i, old := range t.old.Columns {
			if was, ok := changed[[2]string{t.label, old.Name}]; ok {
				c.note(t, old.Name, "%s becomes %s, as the column that it refers to", c.to.TypeText(was), c.to.TypeText(t.out.Columns[i]))
			}
		}
	}
}

func (c *converter) pair(l link, i int, changed map[[2]string]designer.Column) bool {
	if l.to == nil {
		return false
	}
	own := &l.from.out.Columns[l.from.at[l.own[i]]]
	target := l.to.out.Columns[l.to.at[l.foreign[i]]]
	if c.pairable(*own, target) || own.DataType == target.DataType && own.MaxLength == target.MaxLength &&
		own.Precision == target.Precision && own.Scale == target.Scale {
		return false
	}
	key := [2]string{l.from.label, l.own[i]}
	if _, done := changed[key]; done {
		return false // it follows another column already
	}
	changed[key] = *own
	own.DataType, own.MaxLength, own.Precision, own.Scale, own.Values = target.DataType, target.MaxLength, target.Precision, target.Scale, target.Values
	return true
}

func (c *converter) pairable(a, b designer.Column) bool {
	if c.to.ForeignKeys.Pairs != nil {
		return c.to.ForeignKeys.Pairs(a, b)
	}
	x, known := c.to.Type(a.DataType)
	y, both := c.to.Type(b.DataType)
	return !known || !both || x.Family == y.Family
}

// references converts the foreign keys of all tables.
func (c *converter) references() {
	cascades := &cascadeGraph{targets: map[*table][]*table{}, sources: map[*table][]*table{}}
	for _, t := range c.tables {
		for _, l := range c.links(t) {
			c.reference(l, cascades)
		}
	}
}

func (c *converter) reference(l link, cascades *cascadeGraph) {
	label := labelOf(l.def.Name, "foreign key", l.own)
	drop := func(why string) { c.note(l.from, label, "the foreign key is left out: %s", why) }
	switch {
	case l.to == nil:
		drop("what it refers to, " + l.def.ReferencedTable.Name + ", is not there")
		return
	case !l.to.hasKey(l.foreign):
		drop("the columns that it refers to are no key of " + l.to.out.Name)
		return
	}
	out := designer.ForeignKeyDefinition{ReferencedTable: designer.TableRef{Schema: l.to.out.Schema, Name: l.to.out.Name}}
	for i, own := range l.own {
		a, b := l.from.out.Columns[l.from.at[own]], l.to.out.Columns[l.to.at[l.foreign[i]]]
		if !c.pairable(a, b) {
			drop(a.Name + " and " + b.Name + " are of types that " + c.to.Title + " does not pair")
			return
		}
		out.Mappings = append(out.Mappings, designer.NameMapping{Column: a.Name, ReferencedColumn: b.Name})
	}
	out.OnDelete = c.action(l, label, "deleting", l.def.OnDelete)
	out.OnUpdate = c.action(l, label, "updating", l.def.OnUpdate)
	if c.to.ForeignKeys.RefuseCascades && (reaches(out.OnDelete) || reaches(out.OnUpdate)) && !cascades.add(l.to, l.from) {
		c.note(l.from, label, "the key no longer cascades: %s allows only one cascade path to a table", c.to.Title)
		out.OnDelete, out.OnUpdate = designer.NoAction, designer.NoAction
	}
	if l.def.Deferrable != designer.NotDeferrable {
		out.Deferrable = l.def.Deferrable
		if !c.can().deferrable {
			out.Deferrable = designer.NotDeferrable
			c.note(l.from, label, "the key is checked at once: %s defers none", c.to.Title)
		}
	}
	c.options(l.from, label, l.def.Options)
	out.Name = c.partName(l.from, "foreign key", l.def.Name, constraints)
	if out.Name == "" && c.to.Name != "sqlite" {
		out.Name = c.free(l.from.out.Schema, "FK_"+l.from.out.Name+"_"+l.to.out.Name, constraints)
	}
	if c.to.ForeignKeys.Indexed {
		out.Mappings = l.to.inKeyOrder(out.Mappings)
		c.indexFor(l.from, out)
	}
	l.from.out.ForeignKeys = append(l.from.out.ForeignKeys, out)
}

// labelOf is how notes call a part that may have no name.
func labelOf(name, what string, columns []string) string {
	if name != "" {
		return name
	}
	return what + " (" + strings.Join(columns, ", ") + ")"
}

// action converts what a foreign key does.
func (c *converter) action(l link, label, when string, a designer.Action) designer.Action {
	if a == "" {
		a = designer.NoAction
	}
	why := ""
	switch {
	case !slices.Contains(c.to.ForeignKeys.Actions, a):
		why = c.to.Title + " has no " + string(a)
	case a == designer.SetNull:
		for _, own := range l.own {
			if col := l.from.out.Columns[l.from.at[own]]; !col.IsNullable {
				why = col.Name + " takes no NULL"
			}
		}
	case a == designer.SetDefault:
		for _, own := range l.own {
			if col := l.from.out.Columns[l.from.at[own]]; col.DefaultValue == "" {
				why = col.Name + " has no default"
			}
		}
	}
	if why == "" {
		return a
	}
	if a != designer.Restrict { // which is no action, but at once
		c.note(l.from, label, "%s a row that is referred to is refused rather than %s: %s", when, a, why)
	} else {
		c.note(l.from, label, "restrict becomes no_action: %s", why)
	}
	return designer.NoAction
}

// hasKey reports whether the columns, by their old names, are as a whole the
// primary key or a unique key of the result.
func (t *table) hasKey(old []string) bool {
	names := make([]string, len(old))
	for i, o := range old {
		names[i] = t.columns[o]
	}
	return slices.ContainsFunc(t.uniqueKeys(), func(key []string) bool {
		return len(key) == len(names) && !slices.ContainsFunc(key, func(k string) bool { return !slices.Contains(names, k) })
	})
}

func (t *table) uniqueKeys() [][]string {
	var keys [][]string
	if t.out.PrimaryKey != nil {
		keys = append(keys, t.out.PrimaryKey.Columns)
	}
	for _, x := range t.out.Indexes {
		if x.Unique && x.Where == "" {
			keys = append(keys, columnsOf(x))
		}
	}
	return keys
}

// columnsOf are the columns of an index, "" for what is no whole column.
func columnsOf(x designer.IndexDefinition) []string {
	names := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		if p.Length == 0 {
			names[i] = p.Column
		}
	}
	return names
}

// inKeyOrder sorts mappings as the key that they refer to has its columns.
func (t *table) inKeyOrder(mappings []designer.NameMapping) []designer.NameMapping {
	for _, key := range t.uniqueKeys() {
		var out []designer.NameMapping
		for _, name := range key {
			for _, m := range mappings {
				if m.ReferencedColumn == name {
					out = append(out, m)
				}
			}
		}
		if len(out) == len(mappings) && len(key) == len(mappings) {
			return out
		}
	}
	return mappings
}

// indexFor adds the index that a foreign key needs, as the server would.
func (c *converter) indexFor(t *table, k designer.ForeignKeyDefinition) {
	columns := make([]string, len(k.Mappings))
	for i, m := range k.Mappings {
		columns[i] = m.Column
	}
	begins := func(key []string) bool { return len(key) >= len(columns) && slices.Equal(key[:len(columns)], columns) }
	if t.out.PrimaryKey != nil && begins(t.out.PrimaryKey.Columns) ||
		slices.ContainsFunc(t.out.Indexes, func(x designer.IndexDefinition) bool { return begins(columnsOf(x)) }) {
		return
	}
	x := designer.IndexDefinition{Name: c.free(t.out.Schema, k.Name, relations)}
	for _, name := range columns {
		x.Parts = append(x.Parts, designer.IndexKeyDefinition{Column: name})
	}
	t.out.Indexes = append(t.out.Indexes, x)
}
