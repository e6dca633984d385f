package discovery

import "strings"

// pyValue is a value of Python's text: a string, a number as its text, a
// dictionary with names of text, or something that only a program could tell.
type pyValue struct {
	kind   pyKind
	text   string
	fields map[string]pyValue
	line   int
}

type pyKind int

const (
	pyComputed pyKind = iota
	pyText
	pyNumber
	pyDict
)

// pyReader reads literals of Python. It never fails: what it does not know is
// computed.
type pyReader struct {
	text  string
	at    int
	line  int
	depth int
}

// maxPyDepth bounds dictionaries within dictionaries.
const maxPyDepth = 20

// space steps over space, line ends and comments.
func (r *pyReader) space() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\\':
			r.at++
		case '\n':
			r.line++
			r.at++
		case '#':
			for r.at < len(r.text) && r.text[r.at] != '\n' {
				r.at++
			}
		default:
			return
		}
	}
}

func (r *pyReader) accept(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// value reads one value up to the comma or bracket that follows it.
func (r *pyReader) value() pyValue {
	r.space()
	line := r.line
	v := r.primary()
	r.space()
	if r.at < len(r.text) && strings.IndexByte(",}])", r.text[r.at]) < 0 {
		r.skip() // an operator or a call follows
		v = pyValue{}
	}
	v.line = line
	return v
}

func (r *pyReader) primary() pyValue {
	switch {
	case r.at >= len(r.text):
		return pyValue{}
	case r.text[r.at] == '{' && r.depth < maxPyDepth:
		r.at++
		return r.dict()
	case r.text[r.at] == '"' || r.text[r.at] == '\'':
		return r.strings()
	}
	digits := r.at
	for digits < len(r.text) && r.text[digits] >= '0' && r.text[digits] <= '9' {
		digits++
	}
	if digits > r.at {
		v := pyValue{kind: pyNumber, text: r.text[r.at:digits]}
		r.at = digits
		return v
	}
	r.skip()
	return pyValue{}
}

// strings reads literals that stand one behind the other, which are one text.
func (r *pyReader) strings() pyValue {
	var b strings.Builder
	for r.at < len(r.text) && (r.text[r.at] == '"' || r.text[r.at] == '\'') {
		part, ok := r.quoted()
		if !ok {
			return pyValue{}
		}
		b.WriteString(part)
		r.space()
	}
	return pyValue{kind: pyText, text: b.String()}
}

// quoted reads one literal; false: it does not end, or has an escape other
// than those of quotes, backslashes and control characters.
func (r *pyReader) quoted() (string, bool) {
	quote := r.text[r.at : r.at+1]
	if strings.HasPrefix(r.text[r.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	r.at += len(quote)
	var b strings.Builder
	for ok := true; r.at < len(r.text); {
		c := r.text[r.at]
		switch {
		case strings.HasPrefix(r.text[r.at:], quote):
			r.at += len(quote)
			return b.String(), ok
		case c == '\n' && len(quote) == 1:
			return "", false
		case c == '\\' && r.at+1 < len(r.text):
			r.at++
			known := strings.IndexByte(`\'"nrt`, r.text[r.at])
			ok = ok && known >= 0
			if known >= 0 {
				b.WriteByte("\\'\"\n\r\t"[known])
			}
			r.at++
		default:
			if c == '\n' {
				r.line++
			}
			b.WriteByte(c)
			r.at++
		}
	}
	return "", false
}

// dict reads what stands behind the opening brace.
func (r *pyReader) dict() pyValue {
	r.depth++
	defer func() { r.depth-- }()
	v := pyValue{kind: pyDict, fields: map[string]pyValue{}}
	for !r.accept('}') {
		if r.at >= len(r.text) {
			return pyValue{}
		}
		before := r.at
		key := r.primary()
		if r.accept(':') {
			field := r.value()
			if key.kind == pyText {
				v.fields[key.text] = field
			}
		}
		r.accept(',')
		if r.at == before {
			return pyValue{} // **other, or nothing that is known
		}
	}
	return v
}

// skip steps over an expression: to the comma or the bracket that ends it.
func (r *pyReader) skip() {
	for open := 0; r.at < len(r.text); {
		switch c := r.text[r.at]; {
		case c == '"' || c == '\'':
			if _, ok := r.quoted(); !ok && r.at < len(r.text) {
				r.at++
			}
			continue
		case c == '#' || c == '\n':
			r.space()
			continue
		case strings.IndexByte("([{", c) >= 0:
			open++
		case strings.IndexByte(")]}", c) >= 0:
			if open == 0 {
				return
			}
			open--
		case c == ',' && open == 0, c == ':' && open == 0:
			return
		}
		r.at++
	}
}
