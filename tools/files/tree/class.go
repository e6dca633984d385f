package tree

import "strings"

// class matches c against the bracket expression that opens at p. It returns
// the index of the closing bracket. A malformed expression matches nothing.
func (w *matcher) class(p int, c byte) (end int, result outcome) {
	p++
	negated := w.p(p) == '!' || w.p(p) == '^'
	if negated {
		p++
	}
	var before byte // the character a range may begin with
	in := false
	for first := true; first || w.p(p) != ']'; first, p = false, p+1 {
		at := w.p(p)
		switch {
		case at == 0:
			return 0, outOfText
		case at == '\\':
			p++
			if at = w.p(p); at == 0 {
				return 0, outOfText
			}
			in = in || at == c
		case at == '-' && before != 0 && w.p(p+1) != 0 && w.p(p+1) != ']':
			p++
			if at = w.p(p); at == '\\' {
				p++
				if at = w.p(p); at == 0 {
					return 0, outOfText
				}
			}
			in = in || within(c, before, at) || w.fold && isLower(c) && within(c-'a'+'A', before, at)
			at = 0
		case at == '[' && w.p(p+1) == ':':
			last, name, ok := w.className(p + 2)
			if last < 0 {
				return 0, outOfText
			}
			if !ok { // no ":]": the bracket stands for itself
				in = in || c == '['
				break
			}
			has, known := inClass(name, c, w.fold)
			if !known {
				return 0, outOfText
			}
			in = in || has
			p, at = last, 0
		default:
			in = in || at == c
		}
		before = at
	}
	if in == negated || w.path && c == '/' {
		return 0, mismatch
	}
	return p, matched
}

// className reads a class such as alpha:] from p. Last is the closing
// bracket's place, -1 without one; ok reports whether a colon is before it.
func (w *matcher) className(p int) (last int, name string, ok bool) {
	n := strings.IndexByte(w.pattern[min(p, len(w.pattern)):], ']')
	if n < 0 {
		return -1, "", false
	}
	name, ok = strings.CutSuffix(w.pattern[p:p+n], ":")
	return p + n, name, ok
}

func within(c, low, high byte) bool { return low <= c && c <= high }
func isLower(c byte) bool           { return within(c, 'a', 'z') }
func isUpper(c byte) bool           { return within(c, 'A', 'Z') }
func isDigit(c byte) bool           { return within(c, '0', '9') }
func isAlnum(c byte) bool           { return isLower(c) || isUpper(c) || isDigit(c) }
func isSpace(c byte) bool           { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isPrint(c byte) bool           { return within(c, ' ', '~') }

// inClass reports whether c is in a named class, as git defines it for ASCII,
// and whether there is a class of that name.
func inClass(name string, c byte, fold bool) (has, known bool) {
	switch name {
	case "alnum":
		return isAlnum(c), true
	case "alpha":
		return isLower(c) || isUpper(c), true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return isDigit(c), true
	case "graph":
		return isPrint(c) && !isSpace(c), true
	case "lower":
		return isLower(c), true
	case "print":
		return isPrint(c), true
	case "punct":
		return isPrint(c) && !isAlnum(c) && c != ' ', true
	case "space":
		return isSpace(c), true
	case "upper":
		return isUpper(c) || fold && isLower(c), true
	case "xdigit":
		return isDigit(c) || within(c, 'a', 'f') || within(c, 'A', 'F'), true
	}
	return false, false
}
