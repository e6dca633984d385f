package dbml

import (
	"fmt"
	"strings"
)

// parser reads a file's elements from its tokens.
type parser struct {
	tokens []token
	pos    int
	file   *file
}

// peek returns the next token; the last one, of kind end, is returned
// repeatedly.
func (p *parser) peek() token { return p.after(0) }

func (p *parser) after(n int) token { return p.tokens[min(p.pos+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.peek()
	p.pos = min(p.pos+1, len(p.tokens)-1)
	return t
}

func (p *parser) at(s string) bool { return p.peek().is(s) }

func (p *parser) failAt(line int, format string, args ...any) error {
	return &Error{Line: line, Message: fmt.Sprintf(format, args...)}
}

// unexpected returns the error for the next token, with what was expected
// instead.
func (p *parser) unexpected(format string, args ...any) error {
	t := p.peek()
	return &Error{Line: t.line, Column: t.column, Message: fmt.Sprintf("expected %s, found %s", fmt.Sprintf(format, args...), t.shown())}
}

func (p *parser) expect(s string) error {
	if !p.at(s) {
		return p.unexpected("%q", s)
	}
	p.take()
	return nil
}

// endLine verifies that an entry of a block ends here.
func (p *parser) endLine(of string) error {
	if t := p.peek(); t.kind == end || t.newLine || t.is("}") {
		return nil
	}
	return p.unexpected("the end of the line after %s", of)
}

// program reads the whole file.
func (p *parser) program() error {
	for p.peek().kind != end {
		if err := p.element(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) element() error {
	t := p.take()
	keyword := ""
	if t.kind == word {
		keyword = strings.ToLower(t.text)
	}
	switch keyword {
	case "table":
		return p.table()
	case "tablepartial":
		return p.tablePartial()
	case "enum":
		return p.enum()
	case "ref":
		return p.ref(t.line)
	case "project":
		return p.project()
	case "tablegroup", "note", "records", "diagramview", "dep", "metadata":
		p.leaveOut(keyword)
		return p.skipElement(t)
	case "use", "reuse", "import", "export":
		return p.failAt(t.line, "files that are put together of several are not read: put it all into one file")
	}
	return p.failAt(t.line, "expected Table, Enum, Ref, TablePartial, TableGroup, Note or Project, found %s", t.shown())
}

// elements are those that do not describe the schema (drawings, sample rows and
// remarks), with their names for LeftOut.
var elements = map[string]string{"tablegroup": "table group", "note": "sticky note", "records": "records block",
	"diagramview": "diagram view", "dep": "dependency", "metadata": "metadata block"}

// leaveOut notes an element, by the name that comes if one does.
func (p *parser) leaveOut(keyword string) {
	name := ""
	if p.peek().name() && !p.peek().newLine {
		name = p.peek().text
	}
	p.file.loaded.Omit(elements[keyword], name, 1)
}

// leaveNotes notes the notes among the settings of what has no place for one.
func (p *parser) leaveNotes(of string, list []setting) {
	for _, s := range list {
		if s.name == "note" {
			p.file.loaded.Omit(of+" note", "", 1)
		}
	}
}

// skipElement skips an element that does not describe the schema: up to the end
// of its block or, if a colon precedes its text, of its line.
func (p *parser) skipElement(t token) error {
	for !p.at("{") {
		if p.at("[") {
			for !p.at("]") && p.peek().kind != end {
				p.take()
			}
		}
		next := p.peek()
		if next.kind == end || next.newLine && next.line > t.line {
			return p.failAt(t.line, "%s has no block: expected {", t.text)
		}
		if p.take().is(":") {
			for p.peek().kind != end && !p.peek().newLine {
				p.take()
			}
			return nil
		}
	}
	return p.skipBlock(t)
}

// skipBlock passes a block in braces, blocks within included.
func (p *parser) skipBlock(t token) error {
	for depth := 0; ; {
		switch next := p.take(); {
		case next.kind == end:
			return p.failAt(t.line, "%s does not end: close it with }", t.text)
		case next.is("{"):
			depth++
		case next.is("}"):
			if depth--; depth == 0 {
				return nil
			}
		}
	}
}

// project keeps the kind of the database.
func (p *parser) project() error {
	start := p.peek()
	if start.name() {
		p.take()
	}
	list, err := p.settings("note", "color")
	if err != nil {
		return err
	}
	p.leaveNotes("Project", list)
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.at("}") {
		key := p.take()
		switch {
		case key.kind == end:
			return p.failAt(start.line, "Project does not end: close it with }")
		case p.at("{"):
			p.file.loaded.Omit("Project setting", key.text, 1)
			if err := p.skipBlock(key); err != nil {
				return err
			}
			continue
		case !key.name():
			return p.failAt(key.line, "expected a setting such as database_type: 'PostgreSQL', found %s", key.shown())
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		v, err := p.value()
		if err != nil {
			return err
		}
		if key.is("database_type") {
			p.file.databaseType = v.text
		} else {
			p.file.loaded.Omit("Project setting", key.text, 1)
		}
	}
	p.take()
	return nil
}

// qualified reads a name with at most a schema before it.
func (p *parser) qualified(of string) (name, error) {
	n := name{line: p.peek().line}
	if !p.peek().name() {
		return n, p.unexpected("the name of %s", of)
	}
	n.name = p.take().text
	if p.at(".") {
		p.take()
		if !p.peek().name() {
			return n, p.unexpected("a name after the point")
		}
		n.schema, n.name = n.name, p.take().text
	}
	if p.at(".") {
		return n, p.unexpected("at most schema.name for %s: a schema within a schema is not known", of)
	}
	if n.name == "" {
		return n, p.failAt(n.line, "the name of %s is empty", of)
	}
	return n, nil
}

func (p *parser) enum() error {
	n, err := p.qualified("an enum")
	if err != nil {
		return err
	}
	e := &enum{name: n}
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.at("}") {
		if t := p.peek(); !t.name() && t.kind != number {
			return p.unexpected("a value of the enum, in double quotes where it is no plain word, or }")
		}
		e.values = append(e.values, p.take().text)
		list, err := p.settings("note", "color")
		if err != nil {
			return err
		}
		p.leaveNotes("enum", list)
		if err := p.endLine("a value"); err != nil {
			return err
		}
	}
	p.take()
	if len(e.values) == 0 {
		return p.failAt(n.line, "enum %q has no values", excerpt(n.String()))
	}
	p.file.enums = append(p.file.enums, e)
	return nil
}
