package ddl

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// maxColumns is the most columns that are read of a table.
const maxColumns = 5000

// column reads the definition of a column into the table.
func (r *reader) column(td *designer.TableDefinition, c *cursor) {
	at := c.peek()
	name, ok := c.name()
	if !ok || at.Name == "" {
		r.note(at.Pos, "%s is left out of table %s: a column has a name", clip.Text(text(c.tokens), 60), clip.Name(td.Name))
		return
	}
	if len(td.Columns) == maxColumns {
		r.note(at.Pos, "column %s of table %s is left out: it has %d already", clip.Name(name), clip.Name(td.Name), maxColumns)
		return
	}
	if old := columnAt(td, name); old != nil && (old.Name == name || r.product != isPostgres) {
		r.note(at.Pos, "column %s of table %s is left out: there is one of the name", clip.Name(name), clip.Name(td.Name))
		return
	}
	col := designer.Column{Name: name, IsNullable: true}
	r.columnType(&col, td, c)
	td.Columns = append(td.Columns, col)
	r.columnRest(td, len(td.Columns)-1, c)
}

// columnRest reads what stands behind a column's type.
func (r *reader) columnRest(td *designer.TableDefinition, i int, c *cursor) {
	for !c.done() {
		named := ""
		if c.take("CONSTRAINT") {
			named, _ = c.name()
		}
		at := c.peek()
		if r.columnRule(td, &td.Columns[i], named, c) {
			continue
		}
		r.note(at.Pos, "%s of column %s.%s is left out", clip.Text(text(c.tokens[c.i:]), 60), clip.Name(td.Name), clip.Name(td.Columns[i].Name))
		return
	}
}

// columnRule reads one of the rules of a column; false if it is none that is
// known. It may add to the table, not to its columns.
func (r *reader) columnRule(td *designer.TableDefinition, col *designer.Column, named string, c *cursor) bool {
	switch {
	case c.take("NOT", "NULL"):
		col.IsNullable = false
	case c.take("NULL"):
	case c.take("DEFAULT"):
		r.columnDefault(col, c)
		if named != "" && r.product == isMSSQL {
			col.Options = setOption(col.Options, "default_name", named)
		}
	case c.take("PRIMARY", "KEY"), r.product == isMySQL && c.take("KEY"):
		td.PrimaryKey = &designer.KeyDefinition{Name: named, Columns: []string{col.Name}}
		col.IsNullable = false
		r.keyOptions(c)
	case c.take("UNIQUE"):
		c.take("KEY")
		r.keyOptions(c)
		td.Indexes = append(td.Indexes, designer.IndexDefinition{Name: named, Unique: true, Constraint: r.product != isMySQL,
			Parts: []designer.IndexKeyDefinition{{Column: col.Name}}})
	case c.is("CHECK", "("):
		c.i++
		r.check(td, named, c)
	case c.take("REFERENCES"):
		r.reference(td, named, []string{col.Name}, c)
	default:
		return r.columnTrait(col, c)
	}
	return true
}

// columnDefault reads a default value.
func (r *reader) columnDefault(col *designer.Column, c *cursor) {
	tokens := r.expression(c)
	if len(tokens) > 2 && tokens[0].Kind == sqltext.String && tokens[1].Is("::") && r.isTypeOf(col, tokens[2:]) {
		tokens = tokens[:1] // pg_dump says the type of a text again
	}
	value := text(tokens)
	if strings.EqualFold(value, "NULL") {
		value = ""
	}
	col.DefaultValue = value
	c.take("WITH", "VALUES")
}

// isTypeOf reports whether tokens are a column's type.
func (r *reader) isTypeOf(col *designer.Column, tokens []sqltext.Token) bool {
	c := &cursor{tokens: tokens}
	t, same := r.read(r.typeText(c))
	return same && c.done() && strings.EqualFold(t.DataType, col.DataType)
}

// columnTrait reads a rule that only concerns the column; false if it is none.
func (r *reader) columnTrait(col *designer.Column, c *cursor) bool {
	switch {
	case c.take("AUTO_INCREMENT"), c.take("AUTOINCREMENT"):
		col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = true, 1, 1
	case c.take("IDENTITY"):
		r.identity(col, c)
	case c.take("GENERATED"):
		return r.generated(col, c)
	case c.is("AS", "("):
		c.i++
		return r.formula(col, c)
	case c.take("COLLATE"):
		_, col.Collation, _ = r.qualified(c)
	case c.take("COMMENT"):
		col.Comment = r.value(c.next())
	case c.take("ON", "UPDATE"):
		col.Options = setOption(col.Options, "on_update", text(r.expression(c)))
	case c.take("CHARACTER", "SET"), c.take("CHARSET"):
		c.take("=")
		c.i++
	case c.take("NOT", "FOR", "REPLICATION"), c.take("ROWGUIDCOL"), c.take("SPARSE"), c.take("VISIBLE"), c.take("WITH", "VALUES"):
	case c.take("NOT", "DEFERRABLE"), c.take("INITIALLY", "IMMEDIATE"), c.take("ENABLE"):
	case c.take("SRID"):
		col.Options = setOption(col.Options, "srid", c.next().Text)
	case c.take("STORAGE"), c.take("COMPRESSION"), c.take("COLUMN_FORMAT"):
		c.i++
	case c.take("ON", "CONFLICT"):
		c.i++
	default:
		return false
	}
	return true
}

// identity reads IDENTITY(seed, increment) of SQL Server.
func (r *reader) identity(col *designer.Column, c *cursor) {
	col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = true, 1, 1
	inner, ok := c.group()
	if parts := commas(inner); ok && len(parts) == 2 {
		seed, badSeed := strconv.ParseInt(strings.ReplaceAll(text(parts[0]), " ", ""), 10, 64)
		increment, badIncrement := strconv.ParseInt(strings.ReplaceAll(text(parts[1]), " ", ""), 10, 64)
		if badSeed == nil && badIncrement == nil {
			col.IdentitySeed, col.IdentityIncrement = seed, increment
		}
	}
}

// generated reads GENERATED …: a column that numbers itself, or one that is
// computed.
func (r *reader) generated(col *designer.Column, c *cursor) bool {
	always := c.take("ALWAYS")
	if !always {
		c.take("BY", "DEFAULT")
		c.take("ON", "NULL")
	}
	if !c.take("AS") {
		return false
	}
	if !c.take("IDENTITY") {
		return r.formula(col, c)
	}
	col.IsIdentity, col.IdentitySeed, col.IdentityIncrement, col.IsNullable = true, 1, 1, false
	if always && r.product == isPostgres {
		col.Options = setOption(col.Options, "identity", "always")
	}
	if inner, ok := c.group(); ok {
		r.sequenceOptions(col, inner)
	}
	return true
}

// sequenceOptions reads where the numbers of a column begin and how they grow.
func (r *reader) sequenceOptions(col *designer.Column, tokens []sqltext.Token) {
	c := &cursor{tokens: tokens}
	number := func(into *int64) {
		minus := c.take("-")
		if n, err := strconv.ParseInt(c.peek().Text, 10, 64); err == nil {
			if *into = n; minus {
				*into = -n
			}
		}
	}
	for !c.done() {
		switch {
		case c.take("START", "WITH"), c.take("START"):
			number(&col.IdentitySeed)
		case c.take("INCREMENT", "BY"), c.take("INCREMENT"):
			number(&col.IdentityIncrement)
		default:
			c.i++
		}
	}
}

// formula reads what a computed column is computed by.
func (r *reader) formula(col *designer.Column, c *cursor) bool {
	inner, ok := c.group()
	if !ok {
		return false
	}
	col.IsComputed, col.ComputedFormula = true, text(withoutOuter(inner))
	col.ComputedPersisted = c.take("STORED") || c.take("PERSISTED") || c.take("PERSISTENT")
	c.take("VIRTUAL")
	return true
}

// expression takes an expression up to the rule of a column that follows.
func (r *reader) expression(c *cursor) []sqltext.Token {
	from, depth := c.i, 0
	for ; !c.done(); c.i++ {
		t := c.peek()
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth == 0 && c.i > from && endsExpression(c):
			return c.tokens[from:c.i]
		}
	}
	return c.tokens[from:]
}

// endsExpression reports whether a rule of a column begins here.
func endsExpression(c *cursor) bool {
	for _, words := range [][]string{{"NOT", "NULL"}, {"NOT", "FOR"}, {"NOT", "DEFERRABLE"}, {"PRIMARY", "KEY"}, {"ON", "UPDATE"}, {"WITH", "VALUES"}, {"CHARACTER", "SET"}, {"CHECK", "("}} {
		if c.is(words...) {
			return true
		}
	}
	switch t := c.peek(); {
	case t.Is("NULL"):
		before := c.tokens[c.i-1]
		return !before.Is("IS") && !before.Is("NOT") && (before.Kind != sqltext.Operator || before.Is(")"))
	case t.Kind != sqltext.Word:
		return false
	default:
		for _, word := range []string{"CONSTRAINT", "UNIQUE", "REFERENCES", "GENERATED", "COMMENT", "AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "COLLATE", "ROWGUIDCOL", "INVISIBLE", "VISIBLE"} {
			if t.Is(word) {
				return true
			}
		}
	}
	return false
}
