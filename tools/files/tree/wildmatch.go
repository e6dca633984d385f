package tree

import "strings"

// outcome is the result of a match attempt. The caller may be the attempt of an
// earlier star.
type outcome int

const (
	matched      outcome = iota
	mismatch             // here, but the star before may take more
	outOfText            // whatever any star before takes: the text is too short
	toDoubleStar         // whatever a single star before takes: a slash is in the way
)

// wildmatch reports whether text matches pattern like git's wildmatch.c, which
// is the only exact definition of .gitignore's patterns. In a path, no wildcard
// but ** matches a slash. Fold compares ASCII letters without case, as git does
// where core.ignoreCase is set.
func wildmatch(pattern, text string, path, fold bool) bool {
	w := matcher{pattern: pattern, text: text, path: path, fold: fold}
	return w.match(0, 0) == matched
}

type matcher struct {
	pattern, text string
	path, fold    bool
}

// p is the pattern's byte at i and 0 after its end, as in C.
func (w *matcher) p(i int) byte {
	if i < len(w.pattern) {
		return w.pattern[i]
	}
	return 0
}

func (w *matcher) lower(c byte) byte {
	if w.fold && 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// match compares the pattern from p with the text from t. start is where this
// attempt began: git looks no further back for the slash before a **.
func (w *matcher) match(p, t int) outcome {
	for start := p; p < len(w.pattern); p, t = p+1, t+1 {
		if t >= len(w.text) && w.pattern[p] != '*' {
			return outOfText
		}
		switch w.pattern[p] {
		case '?':
			if w.path && w.text[t] == '/' {
				return mismatch
			}
		case '*':
			next, result, done := w.star(start, p, t)
			if done {
				return result
			}
			p, t = next.p, next.t
		case '[':
			end, result := w.class(p, w.lower(w.text[t]))
			if result != matched {
				return result
			}
			p = end
		case '\\':
			p++
			if w.p(p) != w.lower(w.text[t]) { // git does not lower what is escaped
				return mismatch
			}
		default:
			if w.lower(w.pattern[p]) != w.lower(w.text[t]) {
				return mismatch
			}
		}
	}
	if t < len(w.text) {
		return mismatch
	}
	return matched
}

// place is a position in the pattern and one in the text.
type place struct{ p, t int }

// star matches from the star at p on. If done, result is the attempt's.
// Otherwise the attempt continues after next (a star before a slash matches one
// folder).
func (w *matcher) star(start, p, t int) (next place, result outcome, done bool) {
	first, slashes := p, !w.path
	for p++; w.p(p) == '*'; p++ {
	}
	if double := p-first > 1; double && w.path {
		opens := first == start || w.pattern[first-1] == '/'
		closes := p >= len(w.pattern) || w.pattern[p] == '/' || w.pattern[p] == '\\' && w.p(p+1) == '/'
		slashes = opens && closes
		if slashes && w.p(p) == '/' {
			// The ** may stand for nothing. If the rest wants more text than
			// there is, it will with less text too.
			if r := w.match(p+1, t); r == matched || r == outOfText {
				return place{}, r, true
			}
		}
	}
	rest := w.text[min(t, len(w.text)):]
	switch {
	case p >= len(w.pattern) && !slashes && strings.Contains(rest, "/"):
		return place{}, toDoubleStar, true
	case p >= len(w.pattern):
		return place{}, matched, true
	case !slashes && w.pattern[p] == '/':
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return place{}, outOfText, true
		}
		return place{p, t + slash}, 0, false
	}
	return place{}, w.stretch(p, t, slashes), true
}

// stretch lets a star match more and more of the text, until the rest of the
// pattern (from p) matches the rest of the text.
func (w *matcher) stretch(p, t int, slashes bool) outcome {
	literal := !isSpecial(w.pattern[p])
	for ; t < len(w.text); t++ {
		if literal {
			for t < len(w.text) && (slashes || w.text[t] != '/') && w.lower(w.text[t]) != w.lower(w.pattern[p]) {
				t++
			}
			if t >= len(w.text) || w.lower(w.text[t]) != w.lower(w.pattern[p]) {
				if slashes {
					return outOfText
				}
				return toDoubleStar
			}
		}
		switch r := w.match(p, t); {
		case r == mismatch && !slashes && w.text[t] == '/':
			return toDoubleStar
		case r != mismatch && (!slashes || r != toDoubleStar):
			return r
		}
	}
	return outOfText
}

func isSpecial(c byte) bool {
	return c == '*' || c == '?' || c == '[' || c == '\\'
}
