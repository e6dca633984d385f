package dbml

import "strings"

// ref reads what follows the word Ref: the short form after a colon or the
// long one in braces.
func (p *parser) ref(line int) error {
	r := ref{line: line}
	if p.peek().name() {
		n, err := p.qualified("a Ref")
		if err != nil {
			return err
		}
		r.name = n.name
	}
	list, err := p.settings("color", "note")
	if err != nil {
		return err
	}
	p.leaveNotes("Ref", list)
	switch {
	case p.at(":"):
		p.take()
		return p.relationship(r)
	case p.at("{"):
		empty := p.after(1).is("}")
		err := p.block("Ref", func() error { return p.relationship(r) })
		if err == nil && empty {
			err = p.failAt(line, "Ref is empty: expected a.column > b.column")
		}
		return err
	}
	return p.unexpected("a colon or a brace after Ref")
}

// relationship reads a.column > b.column [settings].
func (p *parser) relationship(r ref) (err error) {
	r.line = p.peek().line
	if r.left, err = p.endpoint(); err != nil {
		return err
	}
	if !p.at(">") && !p.at("<") && !p.at("-") && !p.at("<>") {
		return p.unexpected("one of > < - between two columns")
	}
	r.op = p.take().text
	if r.right, err = p.endpoint(); err != nil {
		return err
	}
	list, err := p.settings("delete", "update", "color", "inactive", "note")
	if err != nil {
		return err
	}
	p.leaveNotes("Ref", list)
	for _, s := range list {
		switch s.name {
		case "delete":
			r.onDelete, err = p.action(s)
		case "update":
			r.onUpdate, err = p.action(s)
		case "inactive":
			r.inactive, err = true, p.bare(s)
			p.file.loaded.Omit("inactive Ref", r.left.table+" to "+r.right.table, 1)
		}
		if err != nil {
			return err
		}
	}
	p.file.refs = append(p.file.refs, r)
	return p.endLine("a relationship")
}

// action reads what happens to the referring row, spelled as the model does.
func (p *parser) action(s setting) (string, error) {
	if s.value != nil && s.value.kind == word {
		switch a := strings.ReplaceAll(strings.ToLower(s.value.text), " ", "_"); a {
		case "cascade", "restrict", "set_null", "set_default", "no_action":
			return a, nil
		}
	}
	return "", p.failAt(s.line, "%s needs one of cascade, restrict, set null, set default, no action", s.name)
}

// endpoint reads table.column or table.(a, b), a schema before it or not.
func (p *parser) endpoint() (endpoint, error) {
	var e endpoint
	line := p.peek().line
	var names []string
	for {
		if p.at("(") && len(names) > 0 {
			columns, err := p.columnList()
			if err != nil {
				return e, err
			}
			e.columns = columns
			break
		}
		if !p.peek().name() {
			return e, p.unexpected("table.column or table.(column, column)")
		}
		names = append(names, p.take().text)
		if !p.at(".") {
			break
		}
		p.take()
	}
	if e.columns == nil {
		e.columns = names[len(names)-1:]
		names = names[:len(names)-1]
	}
	switch len(names) {
	case 1:
		e.table = names[0]
	case 2:
		e.schema, e.table = names[0], names[1]
	default:
		return e, p.failAt(line, "expected table.column or schema.table.column on each side of a relationship")
	}
	return e, nil
}

func (p *parser) columnList() ([]string, error) {
	p.take()
	var columns []string
	for {
		if !p.peek().name() {
			return nil, p.unexpected("a column")
		}
		columns = append(columns, p.take().text)
		if p.at(")") {
			p.take()
			return columns, nil
		}
		if err := p.expect(","); err != nil {
			return nil, err
		}
	}
}
