package discovery

import (
	"strconv"
	"strings"
)

// maxHoles bounds quoted texts in expressions in quoted texts.
const maxHoles = 5

// blank returns the text with its comments as space, so that offsets and
// lines stay.
func (l *language) blank(text string) string {
	out := []byte(text)
	erase := func(from, to int) int {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		return to
	}
	for i := 0; i < len(text); {
		switch {
		case strings.IndexByte(l.quotes, text[i]) >= 0:
			i, _ = l.quoteEnd(text, i, 0)
		case l.block && strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				end = len(text) - i - 4
			}
			i = erase(i, max(i+end+4, i+1))
		case l.commentAt(text, i):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			i = erase(i, i+end)
		default:
			i++
		}
	}
	return string(out)
}

func (l *language) commentAt(text string, i int) bool {
	for _, mark := range l.comments {
		if strings.HasPrefix(text[i:], mark) {
			return true
		}
	}
	return false
}

// quoteAt is the quote that a text begins with: one character, or three.
func (l *language) quoteAt(text string, at int) string {
	quote := text[at : at+1]
	if l.triple && strings.HasPrefix(text[at:], strings.Repeat(quote, 3)) {
		return strings.Repeat(quote, 3)
	}
	return quote
}

// quoteEnd is the index behind the text in quotes that begins at an index;
// false: it does not end, and the index is where its line does.
func (l *language) quoteEnd(text string, at, depth int) (int, bool) {
	quote := l.quoteAt(text, at)
	lines := len(quote) == 3 || strings.IndexByte(l.longQuotes, quote[0]) >= 0
	for i := at + len(quote); i < len(text); {
		switch {
		case text[i] == '\\':
			i += 2
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote), true
		case text[i] == '\n' && !lines:
			return i, false
		case l.holeAt(text[i:], quote[0]) && depth < maxHoles:
			i = l.holeEnd(text, i+len(l.hole), depth+1) + 1
		default:
			i++
		}
	}
	return len(text), false
}

// holeAt reports whether an expression begins in a quoted text.
func (l *language) holeAt(text string, quote byte) bool {
	return l.hole != "" && strings.IndexByte(l.holeQuotes, quote) >= 0 && strings.HasPrefix(text, l.hole)
}

// holeEnd is the index of the brace that ends an expression.
func (l *language) holeEnd(text string, at, depth int) int {
	open := 0
	for i := at; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte(l.quotes, c) >= 0:
			i, _ = l.quoteEnd(text, i, depth)
			continue
		case c == '{':
			open++
		case c == '}':
			if open == 0 {
				return i
			}
			open--
		}
		i++
	}
	return len(text)
}

// texts reads a text in quotes; in Python those that stand one behind the
// other are one.
func (r *codeReader) texts(holes bool) value {
	v := r.quoted(holes)
	for r.lang.adjacent {
		last := r.at
		if r.space(); r.at >= r.end || strings.IndexByte(r.lang.quotes, r.peek()) < 0 || r.crossed(last) {
			r.at = last
			break
		}
		v = r.join(v, r.quoted(false))
	}
	return v
}

// quoted reads one text in quotes. holes: it is one of Python's with
// expressions in braces.
func (r *codeReader) quoted(holes bool) value {
	quote := r.lang.quoteAt(r.text, r.at)
	end, ok := r.lang.quoteEnd(r.text[:r.end], r.at, 0)
	start := r.at + len(quote)
	r.at = end
	if !ok {
		return value{}
	}
	v := value{kind: text}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			v = r.join(v, value{kind: text, text: b.String()})
			b.Reset()
		}
	}
	for i := start; i < end-len(quote); {
		rest := r.text[i : end-len(quote)]
		switch {
		case rest[0] == '\\':
			written, length, ok := r.lang.escape(rest, quote[0])
			if !ok {
				return value{}
			}
			b.WriteString(written)
			i += length
		case r.lang.dollars && quote == `"` && rest[0] == '$': // PHP's variables
			return value{}
		case holes && (strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}")):
			b.WriteByte(rest[0])
			i += 2
		case holes && rest[0] == '{', r.lang.holeAt(rest, quote[0]):
			from := i + max(len(r.lang.hole), 1)
			to := min(r.lang.holeEnd(r.text, from, 1), end-len(quote))
			inner := &codeReader{code: r.code, at: from, end: to, open: 1, depth: r.depth}
			flush()
			part := inner.value()
			if inner.at < inner.end {
				return value{}
			}
			if v.kind == text && v.text == "" {
				v = part // a text that begins with a place is one
			} else {
				v = r.join(v, part)
			}
			i = to + 1
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	flush()
	return v
}

// escape reads what a backslash begins; false: something that is not known.
func (l *language) escape(rest string, quote byte) (written string, length int, ok bool) {
	if len(rest) < 2 {
		return "", 0, false
	}
	c := rest[1]
	switch {
	case c == '\\' || c == quote:
		return string(c), 2, true
	case l.dollars && quote == '\'':
		return `\`, 1, true
	case strings.IndexByte("'\"`$/#{", c) >= 0:
		return string(c), 2, true
	case c == 'n' || c == 'r' || c == 't':
		return map[byte]string{'n': "\n", 'r': "\r", 't': "\t"}[c], 2, true
	case c == '\n':
		return "", 2, true
	case c == 'u' && len(rest) >= 6:
		if point, err := strconv.ParseUint(rest[2:6], 16, 16); err == nil && (point < 0xd800 || point > 0xdfff) {
			return string(rune(point)), 6, true
		}
	}
	return "", 0, false
}
