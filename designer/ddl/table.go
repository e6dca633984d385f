package ddl

import (
	"errors"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// createTable reads CREATE TABLE behind these words.
func (r *reader) createTable(c *cursor) error {
	c.ifExists()
	at := c.peek()
	schema, name, ok := r.qualified(c)
	if !ok {
		return designer.ErrorAt(r.script, at.Pos, errors.New("expected the name of a table"))
	}
	switch {
	case r.product == isSQLite && at.Kind == sqltext.String: // which is how a dump writes the tables of a virtual one
		r.loaded.Omit("table of a virtual table", name, 1)
		return nil
	case c.is("PARTITION", "OF"):
		r.loaded.Omit("partition", name, 1)
		return nil
	case c.take("LIKE"), c.take("OF"), c.take("AS"), c.is("SELECT"):
		r.note(at.Pos, "table %s is left out: it is made of another one or of a query", clip.Name(name))
		return nil
	}
	open := c.peek()
	items, closed := c.group()
	switch {
	case !open.Is("("):
		return designer.ErrorAt(r.script, c.place(r.script), errors.New("expected ( and the columns of table "+clip.Quote(name)))
	case !closed:
		return designer.ErrorAt(r.script, open.Pos, errors.New("the parenthesis of table "+clip.Quote(name)+" is not closed"))
	}
	td := r.newTable(schema, name)
	if c.is("INHERITS") {
		r.inherit(td, c)
	}
	if len(items) == 0 && r.product == isPostgres { // where a table may have no columns
		r.tableOptions(td, c)
		return nil
	}
	parts := commas(items)
	if last := len(parts) - 1; last > 0 && len(parts[last]) == 0 && r.product == isMSSQL { // which takes a comma at the end
		parts = parts[:last]
	}
	for _, item := range parts {
		if len(item) == 0 {
			return designer.ErrorAt(r.script, emptyItem(items, open), errors.New("expected a column, found a comma"))
		}
		r.item(td, item)
	}
	r.tableOptions(td, c)
	return nil
}

// place returns where the next token stands, the end of the last one if there
// is none.
func (c *cursor) place(script string) int {
	switch {
	case !c.done():
		return c.peek().Pos
	case len(c.tokens) > 0:
		return c.tokens[len(c.tokens)-1].End()
	}
	return len(script)
}

// emptyItem returns where a list of columns has nothing between its commas.
func emptyItem(items []sqltext.Token, open sqltext.Token) int {
	last, depth := open, 0
	for _, t := range items {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth == 0 && t.Is(",") && (last.Is(",") || last == open) {
			return t.Pos
		}
		last = t
	}
	return last.Pos
}

// newTable adds a table, in place of one of the name.
func (r *reader) newTable(schema, name string) *designer.TableDefinition {
	r.forget(schema, name)
	r.tables[r.key(schema, name)] = len(r.loaded.Tables)
	r.loaded.Tables = append(r.loaded.Tables, designer.TableDefinition{Schema: schema, Name: name, Columns: []designer.Column{}})
	return &r.loaded.Tables[len(r.loaded.Tables)-1]
}

func (r *reader) forget(schema, name string) {
	i, ok := r.tables[r.key(schema, name)]
	if !ok {
		return
	}
	r.loaded.Tables = slices.Delete(r.loaded.Tables, i, i+1)
	delete(r.tables, r.key(schema, name))
	for k, at := range r.tables {
		if at > i {
			r.tables[k] = at - 1
		}
	}
}

// item reads one element of CREATE TABLE.
func (r *reader) item(td *designer.TableDefinition, item []sqltext.Token) {
	c := &cursor{tokens: item}
	if r.isConstraint(c) {
		r.constraint(td, c)
		return
	}
	r.column(td, c)
}

// isConstraint reports whether an element is no column. A word that begins a
// constraint may be a column's name too.
func (r *reader) isConstraint(c *cursor) bool {
	t := c.after(1)
	named := t.Is("(") || t.IsName() && c.after(2).Is("(") && !r.isType(t)
	switch {
	case c.is("CONSTRAINT"), c.is("PRIMARY", "KEY"), c.is("FOREIGN", "KEY"), c.is("CHECK", "("), c.is("PERIOD", "FOR"), c.is("EXCLUDE"), c.is("LIKE"):
		return true
	case c.is("UNIQUE"):
		return t.Is("(") || t.Is("KEY") || t.Is("INDEX") || t.Is("CLUSTERED") || t.Is("NONCLUSTERED") || t.Is("NULLS") || named
	case c.is("KEY"), c.is("FULLTEXT"), c.is("SPATIAL"):
		return r.product == isMySQL && (named || t.Is("KEY") || t.Is("INDEX") || t.IsName() && c.after(2).Is("USING"))
	case c.is("INDEX"):
		return (r.product == isMySQL || r.product == isMSSQL) && (named || t.IsName() && !r.isType(t))
	}
	return false
}

func (r *reader) isType(t sqltext.Token) bool {
	_, known := r.d.Type(t.Name)
	return known && t.Kind == sqltext.Word
}

// inherit gives a table the columns of those that it inherits from; its own
// ones follow.
func (r *reader) inherit(td *designer.TableDefinition, c *cursor) {
	r.note(c.next().Pos, "table %s: that it inherits is left out, and its columns are its own", clip.Name(td.Name))
	list, _ := c.group()
	for _, one := range commas(list) {
		schema, name, ok := r.qualified(&cursor{tokens: one})
		parent := r.table(schema, name)
		if !ok || parent == nil {
			continue
		}
		for _, col := range parent.Columns {
			if columnAt(td, col.Name) == nil {
				td.Columns = append(td.Columns, col)
			}
		}
	}
}

// tableOptions reads what stands behind the columns, as far as every database
// has it.
func (r *reader) tableOptions(td *designer.TableDefinition, c *cursor) {
	for !c.done() {
		switch {
		case c.is("COMMENT"):
			c.i++
			c.take("=")
			if t := c.peek(); t.Kind == sqltext.String {
				td.Comment = r.value(t)
			}
		case c.is("PARTITION", "BY"):
			r.note(c.peek().Pos, "table %s: its partitions are left out", clip.Name(td.Name))
			return
		case c.take("STRICT"):
			td.Options = setOption(td.Options, "strict", "true")
			continue
		case c.take("WITHOUT", "ROWID"):
			td.Options = setOption(td.Options, "without_rowid", "true")
			continue
		}
		c.i++
	}
}

func setOption(options map[string]string, name, value string) map[string]string {
	if options == nil {
		options = map[string]string{}
	}
	options[name] = value
	return options
}

// columnAt returns a column of a table by its name, else the first one that
// has it but for case; nil if there is none.
func columnAt(td *designer.TableDefinition, name string) *designer.Column {
	var folded *designer.Column
	for i := range td.Columns {
		switch c := &td.Columns[i]; {
		case c.Name == name:
			return c
		case folded == nil && strings.EqualFold(c.Name, name):
			folded = c
		}
	}
	return folded
}
