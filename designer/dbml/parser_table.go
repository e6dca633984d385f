package dbml

import "strings"

// table reads what follows the word Table.
func (p *parser) table() error {
	n, err := p.qualified("a table")
	if err != nil {
		return err
	}
	t := &table{name: n}
	if p.at("as") {
		p.take()
		if !p.peek().name() {
			return p.unexpected("an alias")
		}
		t.alias = p.take().text
	}
	p.file.tables = append(p.file.tables, t)
	return p.tableRest(t)
}

func (p *parser) tablePartial() error {
	n, err := p.qualified("a table partial")
	if err != nil {
		return err
	}
	t := &table{name: n}
	p.file.partials = append(p.file.partials, t)
	return p.tableRest(t)
}

// tableRest reads a table's settings and its block.
func (p *parser) tableRest(t *table) error {
	list, err := p.settings("note", "headercolor", "color")
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.name == "note" {
			if t.note, err = p.stringOf(s); err != nil {
				return err
			}
		}
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.at("}") {
		if p.peek().kind == end {
			return p.failAt(t.line, "table %q does not end: close it with }", excerpt(t.name.String()))
		}
		if err := p.tableItem(t); err != nil {
			return err
		}
	}
	p.take()
	return nil
}

func (p *parser) tableItem(t *table) (err error) {
	first, second := p.peek(), p.after(1)
	block := second.is("{") || second.is(":")
	switch {
	case first.is("~"):
		p.take()
		if !p.peek().name() {
			return p.unexpected("the name of a table partial")
		}
		part := p.take()
		t.items = append(t.items, item{partial: part.text, line: part.line})
		return p.endLine("a table partial")
	case first.is("note") && block:
		p.take()
		t.note, err = p.note()
		return err
	case first.is("indexes") && block:
		p.take()
		return p.block("indexes", func() error { return p.index(t) })
	case first.is("checks") && block:
		p.take()
		return p.block("checks", func() error { return p.check(t) })
	case first.is("records") && (block || second.is("(")), first.is("metadata") && block:
		p.file.loaded.Omit(elements[strings.ToLower(first.text)], t.name.String(), 1)
		return p.skipElement(p.take())
	}
	c, err := p.column()
	if err != nil {
		return err
	}
	t.items = append(t.items, item{column: c, line: c.line})
	return nil
}

// note reads : '…' or { '…' }.
func (p *parser) note() (string, error) {
	braced := p.take().is("{")
	if k := p.peek().kind; k != text && k != quoted {
		return "", p.unexpected("a note in single quotes")
	}
	note := p.take().text
	if braced {
		return note, p.expect("}")
	}
	return note, p.endLine("a note")
}

// block reads the entries of a block within a table.
func (p *parser) block(of string, entry func() error) error {
	start := p.peek().line
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.at("}") {
		if p.peek().kind == end {
			return p.failAt(start, "%s does not end: close it with }", of)
		}
		if err := entry(); err != nil {
			return err
		}
	}
	p.take()
	return nil
}

// column reads a name, a type and settings.
func (p *parser) column() (*column, error) {
	if !p.peek().name() {
		return nil, p.unexpected("a column, ~partial, indexes, checks, Note or }")
	}
	t := p.take()
	c := &column{name: t.text, line: t.line}
	if c.name == "" {
		return nil, p.failAt(c.line, "a column's name is empty")
	}
	if next := p.peek(); !next.name() || next.newLine {
		return nil, p.failAt(c.line, "column %q: expected its type on the same line, found %s", excerpt(c.name), next.shown())
	}
	var err error
	if c.typ, err = p.columnType(); err != nil {
		return nil, err
	}
	for p.at("pk") || p.at("unique") { // before settings had brackets
		c.pk, c.unique = c.pk || p.at("pk"), c.unique || p.at("unique")
		p.take()
	}
	list, err := p.settings("pk", "primary key", "null", "not null", "unique", "increment", "default", "check", "note", "ref", "color")
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if err := p.columnSetting(c, s); err != nil {
			return nil, err
		}
	}
	return c, p.endLine("a column's type and settings (a type of several words stands in double quotes)")
}

func (p *parser) columnType() (columnType, error) {
	n, err := p.qualified("a type")
	c := columnType{name: n}
	if err != nil {
		return c, err
	}
	for {
		switch t := p.peek(); {
		case t.is("(") && !t.newLine:
			args, err := p.typeArguments()
			if err != nil {
				return c, err
			}
			c.suffix += "(" + args + ")"
		case t.is("[") && t.glued && (p.after(1).is("]") || p.after(1).kind == number && p.after(2).is("]")):
			for !p.take().is("]") {
			}
			c.suffix += "[]"
		default:
			return c, nil
		}
	}
}

// typeArguments reads (10, 2), (max) or ('a', 'b').
func (p *parser) typeArguments() (string, error) {
	p.take()
	var args []string
	for !p.at(")") {
		t := p.peek()
		sign := ""
		if t.is("-") || t.is("+") {
			sign = p.take().text
			t = p.peek()
		}
		switch t.kind {
		case text:
			args = append(args, "'"+strings.ReplaceAll(t.text, "'", "''")+"'")
		case number, word, quoted:
			args = append(args, sign+t.text)
		default:
			return "", p.unexpected("a length, a precision or )")
		}
		p.take()
		if !p.at(")") {
			if err := p.expect(","); err != nil {
				return "", err
			}
		}
	}
	p.take()
	return strings.Join(args, ","), nil
}

func (p *parser) columnSetting(c *column, s setting) (err error) {
	switch s.name {
	case "pk", "primary key":
		c.pk, err = true, p.bare(s)
	case "not null":
		c.notNull, err = true, p.bare(s)
	case "null":
		err = p.bare(s)
	case "unique":
		c.unique, err = true, p.bare(s)
	case "increment":
		c.increment, err = true, p.bare(s)
	case "note":
		c.note, err = p.stringOf(s)
	case "default":
		if s.value == nil || s.value.kind == symbol || s.value.kind == color {
			return p.failAt(s.line, "default needs a value: a number, a string in single quotes, true, false, null or an expression in backticks")
		}
		c.def = s.value
	case "check":
		if s.value == nil || s.value.kind != formula || s.value.text == "" {
			return p.failAt(s.line, "check needs an expression in backticks")
		}
		c.checks = append(c.checks, s.value.text)
	case "ref":
		if s.value == nil || s.value.kind != symbol {
			return p.failAt(s.line, "ref needs a relationship: > table.column, < table.column or - table.column")
		}
		c.refs = append(c.refs, inlineRef{op: s.value.text, to: s.value.to, line: s.line})
	}
	return err
}

// index reads one entry of an indexes block.
func (p *parser) index(t *table) error {
	x := index{line: p.peek().line}
	var err error
	if p.at("(") {
		p.take()
		for !p.at(")") {
			if err = p.indexPart(&x); err != nil {
				return err
			}
			if !p.at(")") {
				if err := p.expect(","); err != nil {
					return err
				}
			}
		}
		p.take()
	} else if err = p.indexPart(&x); err != nil {
		return err
	}
	if len(x.parts) == 0 {
		return p.failAt(x.line, "an index needs at least one column")
	}
	list, err := p.settings("pk", "unique", "name", "type", "note", "color")
	if err != nil {
		return err
	}
	p.leaveNotes("index", list)
	for _, s := range list {
		if err := p.indexSetting(&x, s); err != nil {
			return err
		}
	}
	t.indexes = append(t.indexes, x)
	return p.endLine("an index")
}

func (p *parser) indexPart(x *index) error {
	switch t := p.peek(); {
	case t.name():
		x.parts = append(x.parts, indexPart{column: t.text})
	case t.kind == formula && t.text != "":
		x.parts = append(x.parts, indexPart{formula: t.text})
	default:
		return p.unexpected("a column or an expression in backticks")
	}
	p.take()
	return nil
}

func (p *parser) indexSetting(x *index, s setting) (err error) {
	switch s.name {
	case "pk":
		x.pk, err = true, p.bare(s)
	case "unique":
		x.unique, err = true, p.bare(s)
	case "name":
		x.name, err = p.stringOf(s)
	case "type":
		if s.value == nil || s.value.kind != word && s.value.kind != quoted && s.value.kind != text {
			return p.failAt(s.line, "type needs a word such as btree or hash")
		}
		x.typ = s.value.text
	}
	return err
}

// check reads one entry of a checks block.
func (p *parser) check(t *table) error {
	if p.peek().kind != formula || p.peek().text == "" {
		return p.unexpected("an expression in backticks")
	}
	k := check{expression: p.take().text}
	list, err := p.settings("name", "note")
	if err != nil {
		return err
	}
	p.leaveNotes("check", list)
	for _, s := range list {
		if s.name == "name" {
			if k.name, err = p.stringOf(s); err != nil {
				return err
			}
		}
	}
	t.checks = append(t.checks, k)
	return p.endLine("a check")
}
