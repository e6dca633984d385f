package discovery

import (
	"path"
	"slices"
	"strings"
)

// codeReader reads expressions. It never fails: what it does not know is
// computed.
type codeReader struct {
	*code
	at, end int
	open    int // brackets that are open: within them a line's end means nothing
	depth   int
}

func (r *codeReader) peek() byte {
	if r.at < r.end {
		return r.text[r.at]
	}
	return 0
}

// space steps over space and line ends.
func (r *codeReader) space() {
	for r.at < r.end && strings.IndexByte(" \t\r\n\f", r.text[r.at]) >= 0 ||
		r.at+1 < r.end && r.lang.backslash && r.text[r.at] == '\\' && strings.IndexByte("\r\n", r.text[r.at+1]) >= 0 {
		r.at++
	}
}

func (r *codeReader) accept(token string) bool {
	r.space()
	if strings.HasPrefix(r.text[r.at:r.end], token) {
		r.at += len(token)
		return true
	}
	return false
}

// word reads a name; "": there is none.
func (r *codeReader) word() string {
	start := r.at
	for r.at < r.end {
		c := r.text[r.at]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte(r.lang.letters, c) >= 0
		if !letter && (r.at == start || c < '0' || c > '9') {
			break
		}
		r.at++
	}
	return r.text[start:r.at]
}

// wordAhead is the next name, which is not stepped over.
func (r *codeReader) wordAhead() string {
	ahead := *r
	ahead.space()
	return ahead.word()
}

// value reads one expression up to what ends it: a comma, a bracket, a
// semicolon, or a line's end outside of brackets.
func (r *codeReader) value() value {
	r.space()
	start := r.at
	v := r.expression()
	if v.line == 0 {
		v.line = r.lineAt(start)
	}
	return v
}

func (r *codeReader) expression() value {
	if r.steps++; r.depth >= maxCodeDepth || r.steps > maxCodeSteps {
		r.skip()
		return value{}
	}
	r.depth++
	defer func() { r.depth-- }()
	v := r.fallbacks()
	last := r.at
	r.space()
	switch {
	case r.ended(last):
		return v
	case slices.Contains(r.lang.casts, r.wordAhead()):
		r.skip()
		return v
	}
	r.skip() // an operator that is not known, or a call without brackets
	return value{}
}

// ended reports whether an expression that ended at last is over.
func (r *codeReader) ended(last int) bool {
	return r.at >= r.end || strings.IndexByte(",)]};", r.text[r.at]) >= 0 ||
		r.crossed(last)
}

// crossed reports whether a line's end that means something lies between an
// offset and here.
func (r *codeReader) crossed(last int) bool {
	return r.open == 0 && strings.Contains(strings.NewReplacer("\\\n", "", "\\\r\n", "").Replace(r.text[last:r.at]), "\n")
}

// fallbacks reads a || b: b where a is nothing.
func (r *codeReader) fallbacks() value {
	v := r.joined()
	for parts := 1; r.operator(r.lang.fallback) && parts < maxParts; parts++ {
		if next := r.joined(); v.nothing() && !(v.kind == unset && next.kind == computed) {
			v = next
		}
	}
	return v
}

// nothing reports whether a fallback stands in for a value.
func (v value) nothing() bool {
	return v.kind == unset || v.kind == null || v.kind == text && v.text == ""
}

// joined reads a + b, texts or paths.
func (r *codeReader) joined() value {
	v := r.operand()
	for parts := 1; r.operator(r.lang.join); parts++ {
		if parts == maxParts {
			r.skip()
			return value{}
		}
		v = r.join(v, r.operand())
	}
	return v
}

// operator steps over one of several operators.
func (r *codeReader) operator(list []string) bool {
	last := r.at
	r.space()
	for _, op := range list {
		rest := r.text[r.at:r.end]
		if !strings.HasPrefix(rest, op) {
			continue
		}
		after := rest[len(op):]
		letters := op[0] >= 'a' && op[0] <= 'z'
		if letters && (after == "" || strings.IndexByte(" \t\r\n(\"'", after[0]) < 0) || !letters && after != "" && (after[0] == '=' || after[0] == op[0]) {
			continue
		}
		r.at += len(op)
		return true
	}
	r.at = last
	return false
}

// join puts two values together as + does, or as / does paths.
func (c *code) join(a, b value) value {
	switch {
	case a.kind == unset:
		return a
	case b.kind == unset:
		return b
	case !a.scalar() || !b.scalar():
		return value{}
	case a.kind == place && b.kind != place:
		return value{kind: place, text: path.Join(a.text, "./"+b.text)}
	}
	joined := c.plain(a) + c.plain(b)
	if len(joined) > maxValue {
		return value{}
	}
	return value{kind: text, text: joined}
}

// scalar reports whether a value is one text.
func (v value) scalar() bool {
	return v.kind == text || v.kind == number || v.kind == flag || v.kind == place
}

// plain is a scalar's text, a place's as an absolute path.
func (c *code) plain(v value) string {
	if v.kind == place {
		return strings.TrimSuffix(c.root, "/") + "/" + v.text
	}
	return v.text
}

// operand reads what stands between operators.
func (r *codeReader) operand() value {
	r.space()
	c := r.peek()
	switch {
	case c == 0:
		return value{}
	case strings.IndexByte(r.lang.quotes, c) >= 0:
		return r.texts(false)
	case c >= '0' && c <= '9':
		return r.number()
	case c == '{' && r.lang.braces:
		r.at++
		return r.object('}')
	case c == '[':
		r.at++
		return r.list()
	case c == '(':
		r.at++
		r.open++
		v := r.expression()
		for r.accept(",") { // what a function takes, or a tuple
			v = value{}
			r.expression()
		}
		r.open--
		if !r.accept(")") {
			return value{}
		}
		return v
	case c == '+' && r.lang.braces: // +process.env.PORT is a number
		r.at++
		return r.chain()
	case c == ':' && r.lang.atoms:
		r.at++
		return value{kind: text, text: r.word()}
	}
	return r.chain()
}

// number reads digits.
func (r *codeReader) number() value {
	start := r.at
	for r.at < r.end && (r.text[r.at] >= '0' && r.text[r.at] <= '9' || r.text[r.at] == '_') {
		r.at++
	}
	return value{kind: number, text: strings.ReplaceAll(r.text[start:r.at], "_", "")}
}

// skip steps over an expression: to the comma or the bracket that ends it, or
// the line's end outside of brackets.
func (r *codeReader) skip() {
	for open := 0; r.at < r.end; {
		switch c := r.text[r.at]; {
		case strings.IndexByte(r.lang.quotes, c) >= 0:
			r.at, _ = r.lang.quoteEnd(r.text[:r.end], r.at, 0)
			continue
		case strings.IndexByte("([{", c) >= 0:
			open++
		case strings.IndexByte(")]}", c) >= 0:
			if open == 0 {
				return
			}
			open--
		case open == 0 && (c == ',' || c == ';' || c == '\n' && r.open == 0):
			return
		}
		r.at++
	}
}
