package dbml

import (
	"slices"
	"strings"
)

// setting is one entry of a list in square brackets.
type setting struct {
	name  string // lower case, words joined by one space
	value *value // nil: none given
	line  int
}

// settings reads a list in square brackets where one begins. allowed names
// those that have a meaning there, for the message where one has not.
func (p *parser) settings(allowed ...string) ([]setting, error) {
	if !p.at("[") {
		return nil, nil
	}
	p.take()
	var list []setting
	for !p.at("]") {
		s, err := p.setting(allowed)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		if s.name == "color" || s.name == "headercolor" {
			p.file.loaded.Omit("color", "", 1)
		}
		if !p.at("]") {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
	}
	p.take()
	return list, nil
}

func (p *parser) setting(allowed []string) (setting, error) {
	s := setting{line: p.peek().line}
	var words []string
	for p.peek().kind == word {
		words = append(words, strings.ToLower(p.take().text))
	}
	s.name = strings.Join(words, " ")
	if !slices.Contains(allowed, s.name) {
		if s.name == "" {
			return s, p.unexpected("a setting: %s", strings.Join(allowed, ", "))
		}
		return s, p.failAt(s.line, "setting %q has no meaning here: expected %s", excerpt(s.name), strings.Join(allowed, ", "))
	}
	if !p.at(":") {
		return s, nil
	}
	p.take()
	v, err := p.value()
	s.value = &v
	return s, err
}

// value reads what stands after a setting's colon.
func (p *parser) value() (value, error) {
	t := p.peek()
	v := value{kind: t.kind, text: t.text, line: t.line}
	switch {
	case t.kind == text, t.kind == formula, t.kind == number, t.kind == color:
		p.take()
	case t.is("+"), t.is("-") && p.after(1).kind == number:
		p.take()
		if p.peek().kind != number {
			return v, p.unexpected("a number after the sign")
		}
		v.kind, v.text = number, strings.TrimPrefix(t.text, "+")+p.take().text
	case t.is("<"), t.is(">"), t.is("-"), t.is("<>"):
		p.take()
		to, err := p.endpoint()
		v.to = to
		return v, err
	case t.name():
		return p.nameValue(v)
	default:
		return v, p.unexpected("a value: a string, a number, an expression in backticks or a word")
	}
	return v, nil
}

// nameValue reads words (no action) or a dotted name (status.open).
func (p *parser) nameValue(v value) (value, error) {
	v.last, v.parts = p.take().text, 1
	for {
		switch {
		case p.at("."):
			p.take()
			if !p.peek().name() {
				return v, p.unexpected("a name after the point")
			}
			v.last = p.take().text
			v.text += "." + v.last
			v.parts++
		case v.kind == word && v.parts == 1 && p.peek().kind == word && !p.peek().newLine:
			v.text += " " + p.take().text
		default:
			return v, nil
		}
	}
}

// stringOf returns the text of a note or a name.
func (p *parser) stringOf(s setting) (string, error) {
	if s.value == nil || s.value.kind != text && s.value.kind != quoted {
		return "", p.failAt(s.line, "%s needs a string in single quotes", s.name)
	}
	return s.value.text, nil
}

// bare verifies that a setting such as pk was given nothing.
func (p *parser) bare(s setting) error {
	if s.value != nil {
		return p.failAt(s.line, "%s takes no value", s.name)
	}
	return nil
}
