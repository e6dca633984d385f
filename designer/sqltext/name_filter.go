package sqltext

import (
	"strings"
	"unicode/utf8"
)

// NameFilter is a text in which names are looked for without reading it: most
// texts of a database name nothing of what is asked about, and need not be
// read.
type NameFilter struct{ lower string } // "" where the text has letters whose case is not simple

// NewNameFilter prepares a text.
func NewNameFilter(text string) NameFilter {
	lower := strings.ToLower(text)
	if !ascii(text) || strings.Contains(lower, "u&") { // PostgreSQL writes characters by their numbers behind it
		return NameFilter{}
	}
	return NameFilter{lower}
}

// MayContain reports whether the text may have a name in it, in whatever case,
// quoted or within a string: false is certain.
func (s NameFilter) MayContain(name string) bool {
	if s.lower == "" || name == "" || !ascii(name) || strings.ContainsAny(name, "\"`]'\\") {
		return true // or it is written another way, with quotes doubled
	}
	name = strings.ToLower(name)
	for from := 0; ; {
		i := strings.Index(s.lower[from:], name)
		if i < 0 {
			return false
		}
		at := from + i
		if end := at + len(name); !s.within(at) && (end == len(s.lower) || !ofName(s.lower[end])) {
			return true
		}
		from = at + 1
	}
}

// within reports whether what begins at i is a part of a longer name that
// begins before it. A number before it may end anywhere, and MySQL's \N, which
// is NULL, ends after its letter.
func (s NameFilter) within(i int) bool {
	start := i
	for start > 0 && ofName(s.lower[start-1]) {
		start--
	}
	return start < i && !isDigit(s.lower[start]) && (start == 0 || s.lower[start-1] != '\\')
}

// ofName reports whether c is a character of names in all dialects.
func ofName(c byte) bool { return 'a' <= c && c <= 'z' || c == '_' || isDigit(c) }

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
