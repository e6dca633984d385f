package discovery

import (
	"strings"
)

// list reads what stands behind the opening bracket; in a language with
// atoms, the keyword list [a: 1] is an object.
func (r *codeReader) list() value {
	if r.lang.atoms && r.keyAhead() {
		return r.object(']')
	}
	r.open++
	defer func() { r.open-- }()
	v := value{kind: list}
	for !r.accept("]") {
		before := r.at
		v.items = append(v.items, r.value())
		r.accept(",")
		if r.at == before || r.at >= r.end {
			return value{}
		}
	}
	return v
}

// keyAhead reports whether a keyword's name follows.
func (r *codeReader) keyAhead() bool {
	ahead := *r
	ahead.space()
	return ahead.word() != "" && ahead.peek() == ':' && (ahead.at+1 >= ahead.end || ahead.text[ahead.at+1] != ':')
}

// object reads what stands behind the opening bracket.
func (r *codeReader) object(closing byte) value {
	r.open++
	defer func() { r.open-- }()
	v := value{kind: object, fields: map[string]value{}, line: r.lineAt(r.at)}
	for !r.accept(string(closing)) {
		before := r.at
		r.member(&v)
		if !r.accept(",") && r.peek() != closing {
			r.skip() // a method's body
			r.accept(",")
		}
		if r.at == before || r.at >= r.end {
			return value{}
		}
	}
	return v
}

// member reads one member of an object: name: value, name, ...other.
func (r *codeReader) member(v *value) {
	for _, spread := range []string{"...", "**"} {
		if r.accept(spread) {
			other := r.value()
			v.open = v.open || other.kind != object || other.open
			for name, field := range other.fields {
				v.fields[name] = field
			}
			return
		}
	}
	start, name := r.at, ""
	switch key := r.peek(); {
	case strings.IndexByte(r.lang.quotes, key) >= 0:
		name = r.texts(false).text
	case key == '[':
		r.at++
		r.list()
	default:
		name = r.word()
	}
	switch {
	case r.accept(":"):
		if field := r.value(); name != "" {
			v.fields[name] = field
		}
	case name != "" && (r.peek() == ',' || r.peek() == '}') && r.lang.shorthand:
		field := r.defined(name)
		field.line = r.lineAt(start)
		v.fields[name] = field
	case name != "" && r.peek() == '(': // a method
		v.fields[name] = value{line: r.lineAt(start)}
	}
}

// arguments are those of a call.
type arguments struct {
	list  []value
	named map[string]value
}

// first returns the named argument, else the one at index, else nothing.
func (a arguments) first(index int, names ...string) (value, bool) {
	for _, name := range names {
		if v, ok := a.named[name]; ok {
			return v, true
		}
	}
	if index >= 0 && index < len(a.list) {
		return a.list[index], true
	}
	return value{}, false
}

// arguments reads what stands behind the opening bracket.
func (r *codeReader) arguments() arguments {
	r.open++
	defer func() { r.open-- }()
	a := arguments{named: map[string]value{}}
	for !r.accept(")") {
		before := r.at
		ahead := *r
		name := ahead.word()
		ahead.space()
		if name != "" && r.lang.keywords && ahead.peek() == '=' && !strings.HasPrefix(ahead.text[ahead.at:ahead.end], "==") {
			r.at = ahead.at + 1
			a.named[name] = r.value()
		} else {
			a.list = append(a.list, r.value())
		}
		r.accept(",")
		if r.at == before || r.at >= r.end {
			return a
		}
	}
	return a
}
