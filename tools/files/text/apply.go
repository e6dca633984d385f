package text

import (
	"fmt"
	"slices"
	"strings"
)

// Edit replaces Old with New. Old must be in the file exactly once unless All
// or Expect is set.
type Edit struct {
	Old, New string
	All      bool // every place, found from the front without overlaps
	Expect   int  // as many places, all of them replaced; 0: not given
}

// Span is a range that changed, in the unified texts of before and after.
type Span struct{ OldStart, OldEnd, NewStart, NewEnd int }

// ApplyResult is the outcome of edits.
type ApplyResult struct {
	Content  []byte // the whole file
	Before   string // unified
	After    string // unified
	Spans    []Span // in order, apart from each other
	Replaced []int  // places, per edit
}

// place is one replacement in the unified text.
type place struct {
	start, end int
	edit       int
}

// Apply makes all edits or none. All edits are searched for in the original
// content, not in each other's insertions. The error is an [*EditError].
func Apply(content []byte, edits []Edit) (*ApplyResult, error) {
	u := Normalize(content)
	a := &ApplyResult{Before: u.Text, Replaced: make([]int, len(edits))}
	var places []place
	news := make([]string, len(edits))
	for i, e := range edits {
		news[i] = unifyText(e.New)
		found, err := find(&u, i, e)
		if err != nil {
			return nil, err
		}
		a.Replaced[i] = len(found)
		places = append(places, found...)
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.start - b.start })
	for i := 1; i < len(places); i++ {
		if p, q := places[i-1], places[i]; q.start < p.end {
			return nil, &EditError{Edit: max(p.edit, q.edit), Other: min(p.edit, q.edit), Reason: Overlap, Lines: []int{LineAt(u.Text, q.start)}}
		}
	}
	a.build(&u, places, news)
	return a, nil
}

// find returns the places of one edit.
func find(u *Content, index int, e Edit) ([]place, error) {
	old := unifyText(e.Old)
	if old == "" {
		return nil, &EditError{Edit: index, Reason: Empty}
	}
	if old == unifyText(e.New) {
		return nil, &EditError{Edit: index, Reason: NoChange}
	}
	every := e.All || e.Expect > 1
	var starts []int
	step := 1 // overlapping places are ambiguous too
	if every {
		step = len(old)
	}
	for at := 0; ; {
		i := strings.Index(u.Text[at:], old)
		if i < 0 || !every && len(starts) == MaxCounted {
			break
		}
		starts = append(starts, at+i)
		at += i + step
	}
	switch {
	case len(starts) == 0:
		return nil, noMatch(u.Text, old, index)
	case e.Expect > 0 && len(starts) != e.Expect:
		return nil, &EditError{Edit: index, Reason: Miscount, Count: len(starts), Want: e.Expect, Lines: linesAt(u.Text, starts)}
	case !every && len(starts) > 1:
		return nil, &EditError{Edit: index, Reason: Ambiguous, Count: len(starts), Lines: linesAt(u.Text, starts)}
	}
	places := make([]place, len(starts))
	for i, s := range starts {
		places[i] = place{start: s, end: s + len(old), edit: index}
	}
	return places, nil
}

// build writes the new content in one pass.
func (a *ApplyResult) build(u *Content, places []place, news []string) {
	raw := make([]byte, 0, len(u.raw))
	var after strings.Builder
	after.Grow(len(u.Text))
	from := 0 // in the unified text: all before is written
	last := 0 // the same in the bytes
	for _, p := range places {
		start, end, inserted := core(u.Text, p, news[p.edit])
		raw = append(raw, u.raw[last:u.offset(start)]...)
		after.WriteString(u.Text[from:start])
		span := Span{OldStart: start, OldEnd: end, NewStart: after.Len()}
		raw = u.appendBroken(raw, start, end, inserted)
		after.WriteString(inserted)
		span.NewEnd = after.Len()
		a.Spans = append(a.Spans, span)
		from, last = end, u.offset(end)
	}
	a.Content = append(raw, u.raw[last:]...)
	after.WriteString(u.Text[from:])
	a.After = after.String()
}

// core removes the common prefix and suffix of a replacement, so that these
// bytes stay unchanged.
func core(whole string, p place, replacement string) (start, end int, inserted string) {
	old := whole[p.start:p.end]
	n := 0
	for n < len(old) && n < len(replacement) && old[n] == replacement[n] {
		n++
	}
	old, replacement = old[n:], replacement[n:]
	m := 0
	for m < len(old) && m < len(replacement) && old[len(old)-1-m] == replacement[len(replacement)-1-m] {
		m++
	}
	return p.start + n, p.end - m, replacement[:len(replacement)-m]
}

// appendBroken appends text with the line breaks of the file: those of the
// range it replaces one by one, then that of the nearest line.
func (u *Content) appendBroken(raw []byte, start, end int, inserted string) []byte {
	near := ""
	at := start
	for {
		line, rest, found := strings.Cut(inserted, "\n")
		raw = append(raw, line...)
		if !found {
			return raw
		}
		if i := strings.IndexByte(u.Text[at:end], '\n'); i >= 0 {
			raw = append(raw, u.ending(at+i)...)
			at += i + 1
		} else {
			if near == "" {
				near = u.endingNear(end)
			}
			raw = append(raw, near...)
			at = end
		}
		inserted = rest
	}
}

// LineAt returns the line of an index in a unified text, from 1.
func LineAt(whole string, at int) int { return 1 + strings.Count(whole[:at], "\n") }

// linesAt are the lines of the first places.
func linesAt(whole string, starts []int) []int {
	var lines []int
	line, from := 1, 0
	for _, s := range starts[:min(len(starts), MaxLines)] {
		line += strings.Count(whole[from:s], "\n")
		from = s
		lines = append(lines, line)
	}
	return lines
}

// Limits of what an error counts and lists.
const (
	MaxCounted = 10_000
	MaxLines   = 20
)

// The reasons of an [EditError].
const (
	Empty     = "empty_old_text"
	NoChange  = "no_change"
	NoMatch   = "no_match"
	Ambiguous = "ambiguous"
	Miscount  = "count_mismatch"
	Overlap   = "overlap"
)

// EditError reports why edits were not made.
type EditError struct {
	Edit   int // from 0
	Other  int // of Overlap
	Reason string
	Count  int   // places; MaxCounted may be fewer than there are
	Want   int   // of Miscount
	Lines  []int // of the first MaxLines places
	Near   []Line
	Differ string // of NoMatch: the first character that differs; "": nothing is near
}

// Line is a line of the file, from 1.
type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"` // cut
}

func (e *EditError) Error() string {
	which := fmt.Sprintf("edits[%d]", e.Edit)
	switch e.Reason {
	case Empty:
		return which + ": old_text is empty; to add lines, replace a line next to them by itself and the new ones"
	case NoChange:
		return which + ": new_text is the same as old_text"
	case NoMatch:
		return which + ": old_text is not in the file"
	case Overlap:
		return fmt.Sprintf("edits[%d] and edits[%d] overlap in line %d; make them one edit", e.Other, e.Edit, e.Lines[0])
	case Miscount:
		return fmt.Sprintf("%s: old_text occurs in the file %s, not the expected %d", which, e.places(), e.Want)
	}
	return fmt.Sprintf("%s: old_text occurs in the file %s; add surrounding lines until it is unique, or set all: true", which, e.places())
}

// places returns how often and where in words.
func (e *EditError) places() string {
	count := fmt.Sprint(e.Count)
	if e.Count == MaxCounted {
		count += " or more"
	}
	lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Lines), " ", ", "), "[]")
	if len(e.Lines) < e.Count {
		lines += ", …"
	}
	return fmt.Sprintf("%s times (lines %s)", count, lines)
}
