package schema

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// page is where a list that is not whole stands: which part the reply holds.
type page struct {
	Total      *int `json:"total,omitempty"`      // of all pages
	Truncated  bool `json:"truncated,omitempty"`  // the reply's size ended the page, not the caller's limit
	NextOffset int  `json:"nextOffset,omitempty"` // where the next page starts; 0: this was the last
}

// span is the part of a list that a call asks for.
type span struct{ from, to, total int }

// paged tells whether the caller asked for a part.
func (o requestOptions) paged() bool { return o.Offset > 0 || o.Limit != nil }

// cut returns the part of a list of n that the options ask for.
func (o requestOptions) cut(n int) span {
	s := span{from: min(o.Offset, n), to: n, total: n}
	if o.Limit != nil {
		s.to = min(n, s.from+min(*o.Limit, n))
	}
	return s
}

// page says where a reply stands that holds the first kept items of the
// span. asked: the caller wants to know the total in any case.
func (s span) page(kept int, asked bool) page {
	p := page{Truncated: kept < s.to-s.from}
	if next := s.from + kept; next < s.total {
		p.NextOffset = next
	}
	if asked || p.Truncated {
		p.Total = new(s.total)
	}
	return p
}

// matcher returns whether a table's name, or schema.name, matches a pattern
// of * and ?, case aside.
func matcher(pattern string) func(schema, name string) bool {
	want := []rune(designer.Fold(strings.TrimSpace(pattern)))
	return func(schema, name string) bool {
		return matches(want, []rune(designer.Fold(name))) ||
			matches(want, []rune(designer.Fold(schema+"."+name)))
	}
}

// matches walks text once for each * at most: no pattern is slow.
func matches(pattern, text []rune) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p, t = p+1, t+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return !slices.ContainsFunc(pattern[p:], func(r rune) bool { return r != '*' })
}

// inKey tells whether a column belongs to its table's primary key.
func inKey(t *designer.Table, column designer.ID) bool {
	return t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, column)
}
