package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// column reads one column with its constraints and adds it to t.
func (p *parser) column(t *tableText) error {
	name, err := p.name()
	if err != nil {
		return err
	}
	c := columnText{name: name}
	if c.typeText, err = p.typeText(); err != nil {
		return err
	}
	constraint := ""
	for !p.at(",") && !p.at(")") {
		if p.accept("CONSTRAINT") {
			if constraint, err = p.name(); err != nil {
				return err
			}
			continue
		}
		if err := p.columnConstraint(t, &c, constraint); err != nil {
			return err
		}
		constraint = ""
	}
	t.columns = append(t.columns, c)
	return nil
}

// typeText reads a column's type: any words, then up to two numbers in
// parentheses. GENERATED ALWAYS reads as words of the type and is cut off
// again, which is how SQLite does it.
func (p *parser) typeText() (string, error) {
	from := p.pos
	for {
		t, ok := p.peek()
		if !ok || !isTypeWord(t) {
			break
		}
		p.pos++
	}
	if p.pos == from {
		return "", nil
	}
	if p.at("(") {
		if _, err := p.parens(); err != nil {
			return "", err
		}
		return p.textFrom(from), nil
	}
	if n := p.pos; n-2 >= from && p.tokens[n-1].Is("ALWAYS") && p.tokens[n-2].Is("GENERATED") {
		if n-2 == from {
			return "", nil
		}
		return p.sql[p.tokens[from].Pos:p.tokens[n-3].End()], nil
	}
	return p.textFrom(from), nil
}

func isTypeWord(t sqltext.Token) bool {
	return isNameToken(t) && (t.Kind != sqltext.Word || !joinWords[strings.ToUpper(t.Text)])
}

func (p *parser) columnConstraint(t *tableText, c *columnText, name string) error {
	switch {
	case p.accept("PRIMARY", "KEY"):
		return p.columnPrimaryKey(t, c, name)
	case p.accept("NOT", "NULL"):
		var err error
		c.onConflict, err = p.onConflict()
		return err
	case p.accept("NULL"):
		_, err := p.onConflict() // of what is no constraint
		return err
	case p.accept("UNIQUE"):
		return p.unique(t, uniqueText{name: name, keys: []key{{text: c.name, column: c.name, plain: true}}})
	case p.accept("CHECK"):
		return p.check(t, name)
	case p.accept("DEFAULT"):
		return p.defaultValue(c)
	case p.accept("COLLATE"):
		var err error
		c.collation, err = p.name()
		return err
	case p.accept("REFERENCES"):
		return p.references(t, name, []string{c.name})
	case p.accept("AS"), p.accept("GENERATED", "ALWAYS", "AS"):
		return p.generated(c)
	}
	d, found := p.deferral()
	if !found {
		return p.fail("a column constraint")
	}
	if n := len(t.foreignKeys); n > 0 {
		t.foreignKeys[n-1].deferrable = d
	}
	return nil
}

func (p *parser) columnPrimaryKey(t *tableText, c *columnText, name string) (err error) {
	k := key{text: c.name, column: c.name, plain: true}
	if !p.accept("ASC") {
		k.descending = p.accept("DESC")
	}
	t.primary = primaryText{name: name, keys: []key{k}}
	t.primary.onConflict, err = p.onConflict()
	t.primary.auto = p.accept("AUTOINCREMENT")
	return err
}

// defaultValue reads a literal, a signed one, a word or an expression in
// parentheses, whose parentheses it takes off.
func (p *parser) defaultValue(c *columnText) error {
	var err error
	if p.at("(") {
		c.def, err = p.parens()
		return err
	}
	from := p.pos
	signed := p.accept("+") || p.accept("-")
	t, ok := p.peek()
	if !ok || t.Kind == sqltext.Operator || t.Kind == sqltext.Illegal || t.Kind == sqltext.Parameter {
		return p.fail("a default value")
	}
	p.pos++
	c.def = p.textFrom(from)
	if !signed && (t.Kind == sqltext.Quoted || t.Kind == sqltext.Word && !isConstant(t)) {
		// A bare word means the string; in parentheses it would be a column.
		c.def = "'" + strings.ReplaceAll(t.Name, "'", "''") + "'"
	}
	return nil
}

// isConstant reports whether a word stands for a value by itself.
func isConstant(t sqltext.Token) bool {
	switch strings.ToUpper(t.Text) {
	case "NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP":
		return true
	}
	return false
}

func (p *parser) generated(c *columnText) error {
	var err error
	if c.generated, err = p.parens(); err != nil {
		return err
	}
	if p.accept("STORED") {
		c.stored = true
	} else {
		p.accept("VIRTUAL")
	}
	return nil
}
