package ddl

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// alter reads ALTER TABLE behind these words, as dumps write it.
func (r *reader) alter(c *cursor) {
	c.ifExists()
	c.take("ONLY")
	at := c.peek()
	schema, name, ok := r.qualified(c)
	td := r.table(schema, name)
	if !ok || td == nil {
		if ok && !r.isSequence(c) {
			r.note(at.Pos, "ALTER TABLE %s is left out: the script has no such table", clip.Name(name))
		}
		return
	}
	parts := commas(c.tokens[c.i:])
	adds := false // T-SQL says ADD once for several
	for _, part := range parts {
		a := &cursor{tokens: part}
		switch {
		case a.take("WITH", "CHECK"), a.take("WITH", "NOCHECK"):
		case adds && len(part) > 0 && !a.is("ADD") && r.product == isMSSQL:
			r.add(td, a)
			continue
		}
		if a.take("ADD") {
			adds = true
			r.add(td, a)
			continue
		}
		r.change(td, at, a)
	}
}

// isSequence reports whether an ALTER TABLE is about a sequence or a view, as
// pg_dump writes their owners.
func (r *reader) isSequence(c *cursor) bool { return c.is("OWNER", "TO") }

// add reads what an ALTER TABLE adds.
func (r *reader) add(td *designer.TableDefinition, c *cursor) {
	switch {
	case c.is("CONSTRAINT") && c.after(2).Is("DEFAULT"), c.is("DEFAULT"):
		r.addDefault(td, c)
	case c.is("("): // MySQL: ADD (a int, b int)
		if inner, ok := c.group(); ok {
			for _, item := range commas(inner) {
				r.item(td, item)
			}
		}
	case r.isConstraint(c):
		r.constraint(td, c)
	default:
		c.take("COLUMN")
		c.ifExists()
		r.column(td, &cursor{tokens: c.tokens[c.i:]})
	}
}

// addDefault reads ADD CONSTRAINT name DEFAULT value FOR column of SQL Server.
func (r *reader) addDefault(td *designer.TableDefinition, c *cursor) {
	at, named := c.peek(), ""
	if c.take("CONSTRAINT") {
		named, _ = c.name()
	}
	c.take("DEFAULT")
	from := c.i
	for !c.done() && !c.is("FOR") {
		c.i++
	}
	value := c.tokens[from:c.i]
	c.take("FOR")
	name, _ := c.name()
	col := columnAt(td, name)
	if col == nil || len(value) == 0 {
		r.leftOutOf(td, at, c)
		return
	}
	col.DefaultValue = text(value)
	if named != "" {
		col.Options = setOption(col.Options, "default_name", named)
	}
}

// change reads one action of ALTER TABLE that adds nothing.
func (r *reader) change(td *designer.TableDefinition, at sqltext.Token, c *cursor) {
	switch {
	case c.take("ALTER", "COLUMN"), c.take("ALTER"):
		r.alterColumn(td, at, c)
	case c.take("MODIFY", "COLUMN"), c.take("MODIFY"):
		r.modify(td, c)
	case c.is("OWNER", "TO"):
		r.loaded.Omit("OWNER TO clause", "", 1)
	case c.is("CHECK", "CONSTRAINT"), c.is("NOCHECK", "CONSTRAINT"), c.is("AUTO_INCREMENT"), c.is("CLUSTER"), c.is("REPLICA"), c.is("DISABLE", "KEYS"), c.is("ENABLE", "KEYS"), c.is("SET"):
	case c.take("ATTACH", "PARTITION"):
		if schema, name, ok := r.qualified(c); ok {
			r.partitions = append(r.partitions, designer.TableName{Schema: schema, Name: name})
			r.loaded.Omit("partition", name, 1)
		}
	default:
		r.note(at.Pos, "%s of table %s is left out", clip.Text(text(c.tokens), 60), clip.Name(td.Name))
	}
}

// alterColumn reads what PostgreSQL says of a column.
func (r *reader) alterColumn(td *designer.TableDefinition, at sqltext.Token, c *cursor) {
	name, _ := c.name()
	col := columnAt(td, name)
	switch {
	case col == nil:
		r.leftOutOf(td, at, c)
	case c.take("SET", "DEFAULT"):
		r.columnDefault(col, c)
	case c.take("SET", "NOT", "NULL"):
		col.IsNullable = false
	case c.take("ADD", "GENERATED"):
		r.generated(col, c)
	case c.is("SET", "STATISTICS"), c.is("SET", "STORAGE"), c.is("SET", "("):
	default:
		r.leftOutOf(td, at, c)
	}
}

// modify reads a column's definition in place of the one it has, as phpMyAdmin
// gives a column its AUTO_INCREMENT.
func (r *reader) modify(td *designer.TableDefinition, c *cursor) {
	name, _ := c.name()
	old := columnAt(td, name)
	if old == nil {
		r.leftOutOf(td, c.peek(), c)
		return
	}
	col := designer.Column{Name: old.Name, IsNullable: td.PrimaryKey == nil || !contains(td.PrimaryKey.Columns, old.Name)}
	r.columnType(&col, td, c)
	*old = col
	for i := range td.Columns {
		if td.Columns[i].Name == col.Name {
			r.columnRest(td, i, c)
		}
	}
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if strings.EqualFold(s, name) {
			return true
		}
	}
	return false
}

// ownSequence notes the column that owns a sequence of PostgreSQL: it numbers
// itself, as serial makes it.
func (r *reader) ownSequence(c *cursor) {
	for !c.done() && !c.take("OWNED", "BY") {
		c.i++
	}
	var path []string
	for !c.done() {
		name, ok := c.name()
		if !ok {
			return
		}
		path = append(path, name)
		c.take(".")
	}
	if len(path) < 2 {
		return
	}
	schema := r.search
	if len(path) > 2 {
		schema = r.schema(path[0])
	}
	r.sequences[sequenceKey(schema, path[len(path)-2], path[len(path)-1])] = true
}

func sequenceKey(schema, table, column string) string {
	return strings.Join([]string{designer.Fold(schema), designer.Fold(table), designer.Fold(column)}, "\x00")
}
