package prisma

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
)

// file is a schema as it is written.
type file struct {
	blocks []block
}

// block is a model, an enum or another of the schema's parts.
type block struct {
	kind, name string
	note       string
	pos        int
	fields     []field
	attributes []attribute
}

// field is a line of a block: a field of a model, a value of an enum, or a
// setting, which has a value in place of a type.
type field struct {
	name       string
	typ        string
	optional   bool
	list       bool
	value      *value // of a setting; of Unsupported("…")
	attributes []attribute
	note       string
	pos        int
}

// attribute is @name(arguments).
type attribute struct {
	name      string // "id", "db.VarChar"
	arguments []argument
	pos       int
}

type argument struct {
	name  string // "" without one
	value value
}

// value is a text, a word, a call or a list.
type value struct {
	kind      kind
	text      string // of a call: its name
	list      []value
	isList    bool
	isCall    bool
	arguments []argument
}

// maxBytes bounds a schema.
const maxBytes = 8 << 20

// maxNested bounds lists and calls within each other.
const maxNested = 16

type parser struct {
	src    string
	tokens []token
	pos    int
	note   string // the comment that stands before
}

func parse(src string) (file, error) {
	if len(src) > maxBytes {
		return file{}, fmt.Errorf("the text has %d bytes: at most %d are read", len(src), maxBytes)
	}
	if !utf8.ValidString(src) {
		return file{}, errors.New("the text is not UTF-8")
	}
	tokens, err := lex(src)
	if err != nil {
		return file{}, err
	}
	p := &parser{src: src, tokens: tokens}
	var f file
	for {
		p.skipLines()
		if p.peek().kind == end {
			return f, nil
		}
		b, err := p.block()
		if err != nil {
			return f, err
		}
		f.blocks = append(f.blocks, b)
	}
}

func (p *parser) peek() token { return p.tokens[min(p.pos, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.peek()
	p.pos++
	return t
}

func (p *parser) takeSymbol(s string) bool {
	if !p.peek().is(s) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) fail(expected string) error {
	t := p.peek()
	return designer.ErrorAt(p.src, t.pos, fmt.Errorf("expected %s, found %s", expected, t.shown()))
}

// skipLines passes empty lines, and keeps the comment that stands before what
// comes.
func (p *parser) skipLines() {
	for blank := 0; ; p.pos++ {
		switch t := p.peek(); t.kind {
		case newline:
			if blank++; blank > 1 {
				p.note = ""
			}
		case comment:
			if blank = 0; p.note != "" {
				p.note += "\n"
			}
			p.note += t.text
		default:
			return
		}
	}
}

func (p *parser) takeNote() string {
	n := p.note
	p.note = ""
	return n
}

func (p *parser) block() (b block, err error) {
	b.note, b.pos = p.takeNote(), p.peek().pos
	for _, into := range []*string{&b.kind, &b.name} {
		if p.peek().kind != word {
			return b, p.fail("model, enum or another block and its name")
		}
		*into = p.take().text
	}
	if !p.takeSymbol("{") {
		return b, p.fail("{ after " + b.kind + " " + b.name)
	}
	for {
		p.skipLines()
		switch t := p.peek(); {
		case t.is("}"):
			p.pos++
			p.note = ""
			return b, nil
		case t.is("@@"):
			p.pos++
			a, err := p.attribute()
			if err != nil {
				return b, err
			}
			b.attributes = append(b.attributes, a)
		case t.kind == word:
			f, err := p.field()
			if err != nil {
				return b, err
			}
			b.fields = append(b.fields, f)
		default:
			return b, p.fail("a field, @@ or } of " + b.kind + " " + b.name)
		}
		if err := p.endLine(); err != nil {
			return b, err
		}
	}
}

// endLine passes the end of a line. A comment at its end is none of what
// comes.
func (p *parser) endLine() error {
	if p.peek().kind == comment {
		p.pos++
	}
	if t := p.peek(); t.kind == newline || t.is("}") {
		return nil
	}
	return p.fail("the end of the line")
}

// field reads a line that begins with a name.
func (p *parser) field() (f field, err error) {
	f.note, f.pos = p.takeNote(), p.peek().pos
	f.name = p.take().text
	switch t := p.peek(); {
	case t.is("="):
		p.pos++
		v, err := p.value(0)
		f.value = &v
		return f, err
	case t.kind == word:
		f.typ = p.take().text
		if p.peek().is("(") { // Unsupported("…")
			args, err := p.arguments(0)
			if err != nil {
				return f, err
			}
			if len(args) > 0 {
				f.value = &args[0].value
			}
		}
		if p.takeSymbol("[") {
			if !p.takeSymbol("]") {
				return f, p.fail("]")
			}
			f.list = true
		}
		f.optional = p.takeSymbol("?")
	}
	for p.takeSymbol("@") {
		a, err := p.attribute()
		if err != nil {
			return f, err
		}
		f.attributes = append(f.attributes, a)
	}
	return f, nil
}

// attribute reads what stands behind @ or @@.
func (p *parser) attribute() (a attribute, err error) {
	a.pos = p.peek().pos
	if p.peek().kind != word {
		return a, p.fail("the name of an attribute")
	}
	a.name = p.take().text
	for p.takeSymbol(".") {
		if p.peek().kind != word {
			return a, p.fail("the name of an attribute")
		}
		a.name += "." + p.take().text
	}
	if p.peek().is("(") {
		a.arguments, err = p.arguments(0)
	}
	return a, err
}

func (p *parser) arguments(depth int) (list []argument, err error) {
	p.take() // (
	for !p.takeSymbol(")") {
		var a argument
		if p.peek().kind == word && p.tokens[min(p.pos+1, len(p.tokens)-1)].is(":") {
			a.name = p.take().text
			p.take()
		}
		if a.value, err = p.value(depth); err != nil {
			return nil, err
		}
		list = append(list, a)
		if !p.takeSymbol(",") && !p.peek().is(")") {
			return nil, p.fail(", or )")
		}
	}
	return list, nil
}

func (p *parser) value(depth int) (v value, err error) {
	if depth > maxNested {
		return v, p.fail("fewer brackets within each other")
	}
	switch t := p.peek(); {
	case t.kind == comment:
		p.pos++
		return p.value(depth)
	case t.kind == text:
		p.pos++
		return value{kind: text, text: t.text}, nil
	case t.is("["):
		p.pos++
		v.isList = true
		for !p.takeSymbol("]") {
			item, err := p.value(depth + 1)
			if err != nil {
				return v, err
			}
			v.list = append(v.list, item)
			if !p.takeSymbol(",") && !p.peek().is("]") {
				return v, p.fail(", or ]")
			}
		}
		return v, nil
	case t.kind == word:
		v = value{kind: word, text: p.take().text}
		for p.takeSymbol(".") {
			v.text += "." + p.take().text
		}
		if p.peek().is("(") {
			v.isCall = true
			v.arguments, err = p.arguments(depth + 1)
		}
		return v, err
	}
	return v, p.fail("a value")
}

// argument returns the value of a named argument, or of the nth that has no
// name; nil if there is none.
func (a attribute) argument(name string, nth int) *value {
	for i := range a.arguments {
		if a.arguments[i].name == name {
			return &a.arguments[i].value
		}
	}
	for i := range a.arguments {
		if a.arguments[i].name == "" {
			if nth == 0 {
				return &a.arguments[i].value
			}
			nth--
		}
	}
	return nil
}

// text returns the text of an argument that has a name, "" if there is none.
func (a attribute) text(name string) string {
	for _, arg := range a.arguments {
		if arg.name == name {
			return arg.value.text
		}
	}
	return ""
}

func find(list []attribute, name string) *attribute {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// mapped returns the name in the database that @map or @@map gives.
func mapped(list []attribute, name string) string {
	if a := find(list, "map"); a != nil {
		if v := a.argument("name", 0); v != nil && v.text != "" {
			return v.text
		}
	}
	return name
}
