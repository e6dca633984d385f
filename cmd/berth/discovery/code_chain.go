package discovery

import (
	"path"
	"slices"
	"strings"
)

// link is what a chain of names stands for, up to where it has been read.
type link struct {
	r      *codeReader
	name   string // the names so far, joined by dots, while nothing is known of them
	v      value
	known  bool   // v counts, and name no longer does
	method string // taken from v, and perhaps called next
}

// settle asks what the names stand for.
func (l *link) settle() {
	if !l.known {
		l.v, l.known = l.r.meaning(l.name), true
	}
	if l.method != "" {
		l.v, l.method = l.v.member(l.method), ""
	}
}

// chain reads names, what is taken from them and what is called: a.b["c"](d).
func (r *codeReader) chain() value {
	name := r.word()
	switch {
	case name == "":
		return value{}
	case r.isPrefix(name):
		return r.texts(strings.ContainsAny(name, "fF"))
	case r.lang.shorthand && (name == "new" || name == "await"):
		r.space()
		name = r.word()
	case slices.Contains([]string{"raise", "function", "async", "lambda", "fn"}, name):
		r.skip()
		return value{}
	}
	l := link{r: r, name: name}
	for {
		rest := r.text[r.at:r.end]
		switch {
		case r.peek() == '(':
			r.at++
			l.call(r.arguments())
		case r.peek() == '[':
			r.at++
			l.index(r.index())
		case r.peek() == '!' && r.lang.shorthand && !strings.HasPrefix(rest, "!="):
			r.at++
		case r.peek() == '.' && r.lang.dots, strings.HasPrefix(rest, "?."):
			r.at += 1 + strings.IndexByte(rest, '.')
			l.take(r.word())
		default:
			l.settle()
			return l.v
		}
	}
}

// isPrefix reports whether a name stands before a quote, as in Python's f"".
func (r *codeReader) isPrefix(name string) bool {
	return r.lang.prefixes != "" && len(name) <= 2 && r.at < r.end && strings.IndexByte(r.lang.quotes, r.peek()) >= 0 &&
		strings.Trim(strings.ToLower(name), r.lang.prefixes) == ""
}

// index reads what stands behind an opening bracket that follows a value.
func (r *codeReader) index() value {
	r.open++
	key := r.expression()
	r.open--
	r.accept("]")
	return key
}

// maxChain bounds the names of a chain in bytes.
const maxChain = 300

func (l *link) take(part string) {
	if len(l.name) > maxChain {
		l.v, l.known = value{}, true
	}
	if !l.known {
		l.name += "." + part
		return
	}
	l.settle()
	l.method = part
}

func (l *link) call(args arguments) {
	switch {
	case !l.known:
		l.v, l.known = l.r.lang.call(l.r.code, l.name, args), true
	case l.method != "":
		l.v, l.method = l.r.called(l.v, l.method, args), ""
	default:
		l.v = value{}
	}
}

func (l *link) index(key value) {
	switch {
	case !l.known && slices.Contains(l.r.lang.environments, l.name) && key.kind == text:
		l.v, l.known = l.r.code.environment(key.text), true
	case l.method == "parents" && l.v.kind == place && key.kind == number && len(key.text) == 1:
		l.v.text, l.method = path.Join(l.v.text, strings.Repeat("../", int(key.text[0]-'0')+1)), ""
	default:
		l.settle()
		l.v = l.v.member(key.text)
	}
}

// member is what is taken from a value by name without a call.
func (v value) member(name string) value {
	if v.kind == place && name == "parent" {
		return value{kind: place, text: path.Dir(v.text)}
	}
	if field, ok := v.fields[name]; ok && v.kind == object {
		return field
	}
	return value{}
}

// called is a method's result.
func (r *codeReader) called(v value, method string, args arguments) value {
	switch method {
	case "resolve", "absolute", "as_posix", "toString", "trim", "strip", "expanduser":
		return v
	case "joinpath":
		for _, part := range args.list {
			v = r.join(v, part)
		}
		return v
	}
	return value{}
}

// meaning is what a name stands for: something of the language, else what the
// file defines it as.
func (r *codeReader) meaning(name string) value {
	if v, ok := r.lang.name(r.code, name); ok {
		return v
	}
	base, rest, dotted := strings.Cut(name, ".")
	v := r.defined(base)
	for part := ""; dotted; {
		part, rest, dotted = strings.Cut(rest, ".")
		v = v.member(part)
	}
	return v
}

// defined is what the file defines a name as; computed where it does not, or
// twice.
func (r *codeReader) defined(name string) value {
	if v, ok := r.names[name]; ok {
		return v
	}
	if len(r.names) >= maxNames || r.lang.definition == nil {
		return value{}
	}
	r.names[name] = value{} // also while it is read: a name that stands for itself
	v := value{}
	found := r.lang.definition(name).FindAllStringSubmatchIndex(r.text, 2)
	switch {
	case len(found) == 1:
		at := &codeReader{code: r.code, at: found[0][3], end: len(r.text), depth: r.depth}
		v = at.value()
	case len(found) == 0 && r.lang.unpacked != nil:
		v = r.lang.unpacked(r.code, name)
	}
	r.names[name] = v
	return v
}
