package search

import (
	"bytes"
	"context"
)

// finder finds what a query asks for. Several goroutines may use it at once.
type finder interface {
	// each calls found for every hit in text, in order. An error is ctx's.
	each(ctx context.Context, text []byte, found func(start, end int)) error
}

// compile makes the finder for a query.
func compile(q Query) (finder, error) {
	switch {
	case q.Regexp:
		return compileLines(q.Text, !q.CaseSensitive)
	case q.CaseSensitive:
		return newExact(q.Text), nil
	}
	return newFolded(q.Text), nil
}

// exact finds a literal: it looks for the byte of it that is rarest in
// programs and compares the rest there.
type exact struct {
	needle []byte
	rare   int // index of the rarest byte
}

func newExact(text string) *exact {
	x := &exact{needle: []byte(text)}
	for i := range x.needle {
		if commonness(x.needle[i]) < commonness(x.needle[x.rare]) {
			x.rare = i
		}
	}
	return x
}

func (x *exact) each(_ context.Context, text []byte, found func(start, end int)) error {
	for at := 0; ; {
		start := x.next(text, at)
		if start < 0 {
			return nil
		}
		at = start + len(x.needle)
		found(start, at)
	}
}

// next is where the needle is next in text, at from or behind it; -1: nowhere.
func (x *exact) next(text []byte, from int) int {
	c, last := x.needle[x.rare], len(text)-len(x.needle)
	for from <= last {
		i := bytes.IndexByte(text[from+x.rare:last+x.rare+1], c)
		if i < 0 {
			return -1
		}
		from += i
		if bytes.Equal(text[from:from+len(x.needle)], x.needle) {
			return from
		}
		from++
	}
	return -1
}
