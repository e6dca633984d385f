package search

import (
	"bytes"
	"context"
)

// finder finds the hits of a query. It is safe for concurrent use.
type finder interface {
	// each calls found for every hit in text, in order. An error is ctx's.
	each(ctx context.Context, text []byte, found func(start, end int)) error
}

// compile returns the finder for a query.
func compile(q Query) (finder, error) {
	switch {
	case q.Regexp:
		return compileLines(q.Text, !q.CaseSensitive)
	case q.CaseSensitive:
		return newExact(q.Text), nil
	}
	return newFolded(q.Text), nil
}

// exactFinder finds a literal: it searches for the literal's byte that is
// rarest in programs and compares the rest there. If that byte is not rare in
// the text, it searches for the two rarest together.
type exactFinder struct {
	needle []byte
	rare   int  // index of the rarest byte
	pair   pair // the two rarest, if there are two bytes
	first  int  // index of the pair's first
}

func newExact(text string) *exactFinder {
	x := &exactFinder{needle: []byte(text)}
	second := -1
	for i := range x.needle {
		if commonness(x.needle[i]) < commonness(x.needle[x.rare]) {
			x.rare = i
		}
	}
	for i := range x.needle {
		if i != x.rare && (second < 0 || commonness(x.needle[i]) < commonness(x.needle[second])) {
			second = i
		}
	}
	if second >= 0 {
		x.first = min(x.rare, second)
		last := max(x.rare, second)
		x.pair = pair{a: x.needle[x.first], b: x.needle[last], gap: last - x.first}
	}
	return x
}

func (x *exactFinder) each(_ context.Context, text []byte, found func(start, end int)) error {
	c, n, stops := x.needle[x.rare], len(x.needle), 0
	for at := 0; at+n <= len(text); {
		if n > 1 && tooCommon(stops, at) {
			x.pairs(text, at, found)
			return nil
		}
		i := bytes.IndexByte(text[at+x.rare:len(text)-n+x.rare+1], c)
		if i < 0 {
			return nil
		}
		stops++
		if at += i; bytes.Equal(text[at:at+n], x.needle) {
			found(at, at+n)
			at += n
		} else {
			at++
		}
	}
	return nil
}

// pairs continues from at.
func (x *exactFinder) pairs(text []byte, at int, found func(start, end int)) {
	n := len(x.needle)
	for at+n <= len(text) {
		i := x.pair.next(text, at+x.first)
		if i < 0 || i-x.first+n > len(text) {
			return
		}
		if at = i - x.first; bytes.Equal(text[at:at+n], x.needle) {
			found(at, at+n)
			at += n
		} else {
			at++
		}
	}
}
