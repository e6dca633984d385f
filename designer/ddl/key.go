package ddl

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// constraint reads a key, an index or a check of a table.
func (r *reader) constraint(td *designer.TableDefinition, c *cursor) {
	at, named := c.peek(), ""
	if c.take("CONSTRAINT") && !(c.is("PRIMARY") || c.is("FOREIGN") || c.is("UNIQUE") || c.is("CHECK")) {
		named, _ = c.name()
	}
	switch {
	case c.take("PRIMARY", "KEY"):
		r.primaryKey(td, named, at, c)
	case c.take("UNIQUE"):
		if c.take("KEY"); !c.take("INDEX") {
			c.take("NULLS", "NOT", "DISTINCT")
		}
		r.tableIndex(td, designer.IndexDefinition{Name: named, Unique: true, Constraint: r.product != isMySQL}, at, c)
	case c.take("FOREIGN", "KEY"):
		r.foreignKey(td, named, at, c)
	case c.take("CHECK"):
		r.check(td, named, c)
	case c.is("FULLTEXT"), c.is("SPATIAL"):
		x := designer.IndexDefinition{Method: strings.ToLower(c.next().Text)}
		if !c.take("KEY") {
			c.take("INDEX")
		}
		r.tableIndex(td, x, at, c)
	case c.take("KEY"), c.take("INDEX"):
		r.tableIndex(td, designer.IndexDefinition{}, at, c)
	default:
		r.leftOutOf(td, at, c)
	}
}

// leftOutOf notes an element of a table that no definition has.
func (r *reader) leftOutOf(td *designer.TableDefinition, at sqltext.Token, c *cursor) {
	r.note(at.Pos, "%s of table %s is left out", clip.Text(text(c.tokens), 60), clip.Name(td.Name))
}

func (r *reader) primaryKey(td *designer.TableDefinition, named string, at sqltext.Token, c *cursor) {
	r.keyOptions(c)
	if !c.is("(") { // MySQL may name an index here
		c.name()
	}
	parts, ok := r.parts(td, c)
	if !ok {
		r.leftOutOf(td, at, c)
		return
	}
	k := &designer.KeyDefinition{Name: named}
	for _, p := range parts {
		if p.Column == "" {
			r.leftOutOf(td, at, c)
			return
		}
		k.Columns = append(k.Columns, p.Column)
		columnAt(td, p.Column).IsNullable = false
	}
	td.PrimaryKey = k
}

// tableIndex reads an index or a unique constraint behind the words that say
// which of the two it is.
func (r *reader) tableIndex(td *designer.TableDefinition, x designer.IndexDefinition, at sqltext.Token, c *cursor) {
	r.keyOptions(c)
	if !c.is("(") && !c.is("USING") {
		c.ifExists()
		if name, ok := c.name(); ok && (x.Name == "" || r.product == isMySQL) {
			x.Name = name
		}
	}
	x.Unique = c.take("UNIQUE") || x.Unique // SQL Server
	r.keyOptions(c)
	if c.take("USING") {
		c.i++
	}
	var ok bool
	if x.Parts, ok = r.parts(td, c); !ok {
		r.leftOutOf(td, at, c)
		return
	}
	for _, p := range x.Parts {
		x.Constraint = x.Constraint && p.Expression == ""
	}
	r.indexRest(td, &x, c)
	td.Indexes = append(td.Indexes, x)
}

// keyOptions passes what says how a key is kept.
func (r *reader) keyOptions(c *cursor) {
	for c.take("CLUSTERED") || c.take("NONCLUSTERED") || c.take("ASC") || c.take("DESC") {
	}
}

// check reads the condition of a check.
func (r *reader) check(td *designer.TableDefinition, named string, c *cursor) {
	c.take("NOT", "FOR", "REPLICATION")
	at := c.peek()
	inner, ok := c.group()
	if !ok {
		r.leftOutOf(td, at, c)
		return
	}
	td.Checks = append(td.Checks, designer.CheckDefinition{Name: named, Expression: text(withoutOuter(inner))})
	for c.take("NO", "INHERIT") || c.take("NOT", "VALID") || c.take("NOT", "ENFORCED") || c.take("ENFORCED") {
	}
}

func (r *reader) foreignKey(td *designer.TableDefinition, named string, at sqltext.Token, c *cursor) {
	c.ifExists()
	if !c.is("(") { // MySQL may name an index here
		c.name()
	}
	inner, ok := c.group()
	columns := names(inner)
	if !ok || columns == nil || !c.take("REFERENCES") {
		r.leftOutOf(td, at, c)
		return
	}
	r.reference(td, named, columns, c)
}

// names reads a list of names; nil if it is none.
func names(tokens []sqltext.Token) (list []string) {
	for _, part := range commas(tokens) {
		if len(part) != 1 || part[0].Name == "" {
			return nil
		}
		list = append(list, part[0].Name)
	}
	return list
}

// reference reads what a foreign key refers to, behind REFERENCES. The columns
// of the other table are filled in later where they are not given.
func (r *reader) reference(td *designer.TableDefinition, named string, columns []string, c *cursor) {
	at := c.peek()
	schema, name, ok := r.qualified(c)
	if !ok {
		r.leftOutOf(td, at, c)
		return
	}
	k := designer.ForeignKeyDefinition{Name: named, ReferencedTable: designer.TableRef{Schema: schema, Name: name}}
	var referenced []string
	if inner, given := c.group(); given {
		if referenced = names(inner); len(referenced) != len(columns) {
			r.leftOutOf(td, at, c)
			return
		}
	}
	for i, column := range columns {
		m := designer.NameMapping{Column: column}
		if referenced != nil {
			m.ReferencedColumn = referenced[i]
		}
		k.Mappings = append(k.Mappings, m)
	}
	for r.referenceRule(&k, c) {
	}
	td.ForeignKeys = append(td.ForeignKeys, k)
}

// referenceRule reads one of the rules of a foreign key; false at the end.
func (r *reader) referenceRule(k *designer.ForeignKeyDefinition, c *cursor) bool {
	switch {
	case c.take("ON", "DELETE"):
		k.OnDelete = r.action(c)
	case c.is("ON", "UPDATE") && !c.after(2).Is("CURRENT_TIMESTAMP"):
		c.i += 2
		k.OnUpdate = r.action(c)
	case c.take("MATCH"):
		c.i++
	case c.take("NOT", "DEFERRABLE"), c.take("NOT", "VALID"), c.take("NOT", "FOR", "REPLICATION"), c.take("INITIALLY", "IMMEDIATE"):
	case c.take("DEFERRABLE"):
		k.Deferrable = designer.DeferrableInitNow
		if c.take("INITIALLY", "DEFERRED") {
			k.Deferrable = designer.DeferrableInitEnd
		}
	default:
		return false
	}
	return true
}

func (r *reader) action(c *cursor) designer.Action {
	switch {
	case c.take("CASCADE"):
		return designer.Cascade
	case c.take("SET", "NULL"):
		return designer.SetNull
	case c.take("SET", "DEFAULT"):
		return designer.SetDefault
	case c.take("RESTRICT"):
		return designer.Restrict
	}
	c.take("NO", "ACTION")
	return designer.NoAction
}
