package search

import (
	"bytes"
	"context"
	"slices"
	"unicode"
	"unicode/utf8"
)

// folded finds a literal without regard to case. It looks for one character of
// it, the anchor, by the bytes that its upper and lower case have in one
// place, and compares the characters before and behind it there. Characters
// that match may differ in length (k and the Kelvin sign), so only the anchor
// tells where a hit begins.
type folded struct {
	before, behind []letter // the anchor is the first one behind
	bytes          []byte   // that the anchor's forms have at skip
	skip           int      // bytes from the anchor's beginning
}

// letter is a character of the needle.
type letter struct {
	least        rune // of those that match it
	upper, lower byte // its ASCII forms, in either order; 0x80: it has none
}

func newFolded(text string) *folded {
	runes := []rune(text)
	f := &folded{}
	cost, at := 0, 0
	for i, r := range runes {
		for _, skip := range []int{0, utf8.RuneLen(r) - 1} {
			set := bytesAt(r, skip)
			if c := costOf(set); set != nil && (f.bytes == nil || c < cost) {
				cost, at, f.bytes, f.skip = c, i, set, skip
			}
		}
	}
	for i, r := range runes {
		if i < at {
			f.before = append(f.before, newLetter(r))
		} else {
			f.behind = append(f.behind, newLetter(r))
		}
	}
	return f
}

// bytesAt lists the bytes that the forms of r have at an index; nil if there
// is one that ends before it or is of another length.
func bytesAt(r rune, index int) []byte {
	var set []byte
	for _, form := range forms(r) {
		if index > 0 && utf8.RuneLen(form) != utf8.RuneLen(r) {
			return nil
		}
		if c := string(form)[index]; !slices.Contains(set, c) {
			set = append(set, c)
		}
	}
	return set
}

// costOf estimates how long looking for these bytes takes: each is looked for
// on its own, and every one found has to be looked at.
func costOf(set []byte) int {
	cost := 0
	for _, c := range set {
		cost += 300 + commonness(c)
	}
	return cost
}

// forms lists the characters that are r but for case, r among them.
func forms(r rune) []rune {
	all := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	return all
}

func newLetter(r rune) letter {
	l := letter{least: least(r), upper: utf8.RuneSelf, lower: utf8.RuneSelf}
	for _, form := range forms(r) {
		switch {
		case form >= utf8.RuneSelf:
		case l.upper == utf8.RuneSelf:
			l.upper, l.lower = byte(form), byte(form)
		default: // a letter has two
			l.lower = byte(form)
		}
	}
	return l
}

// least is the same for all characters that differ in case only.
func least(r rune) rune {
	for {
		f := unicode.SimpleFold(r)
		if f <= r { // round the orbit once: the least comes after the greatest
			return f
		}
		r = f
	}
}

func (f *folded) each(_ context.Context, text []byte, found func(start, end int)) error {
	at := 0
	next := make([]int, 0, 4)
	for _, c := range f.bytes {
		next = append(next, behind(text, f.skip, c))
	}
	for {
		which, anchor := 0, next[0]
		for i := 1; i < len(next); i++ {
			if next[i] < anchor {
				which, anchor = i, next[i]
			}
		}
		if anchor >= len(text) {
			return nil
		}
		if start, end, ok := f.matchAt(text, anchor-f.skip); ok && start >= at {
			at = end
			found(start, end)
		}
		next[which] = behind(text, anchor+1, f.bytes[which])
	}
}

// behind is where c is next in text, at from or behind it; its length if
// nowhere.
func behind(text []byte, from int, c byte) int {
	if from >= len(text) {
		return len(text)
	}
	i := bytes.IndexByte(text[from:], c)
	if i < 0 {
		return len(text)
	}
	return from + i
}

// matchAt compares the needle with the text around an anchor.
func (f *folded) matchAt(text []byte, anchor int) (start, end int, ok bool) {
	end = anchor
	for i := range f.behind {
		if end >= len(text) {
			return 0, 0, false
		}
		size := f.behind[i].matchFirst(text[end:])
		if size == 0 {
			return 0, 0, false
		}
		end += size
	}
	start = anchor
	for i := len(f.before) - 1; i >= 0; i-- {
		if start == 0 {
			return 0, 0, false
		}
		size := f.before[i].matchLast(text[:start])
		if size == 0 {
			return 0, 0, false
		}
		start -= size
	}
	return start, end, true
}

// matchFirst is how many bytes of text, which is not empty, the letter
// matches at its beginning; 0: it does not.
func (l *letter) matchFirst(text []byte) int {
	if c := text[0]; c < utf8.RuneSelf {
		return l.matchByte(c)
	}
	return l.matchRune(utf8.DecodeRune(text))
}

// matchLast is the same at the text's end.
func (l *letter) matchLast(text []byte) int {
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return l.matchByte(c)
	}
	return l.matchRune(utf8.DecodeLastRune(text))
}

func (l *letter) matchByte(c byte) int {
	if c == l.lower || c == l.upper {
		return 1
	}
	return 0
}

func (l *letter) matchRune(r rune, size int) int {
	if r == utf8.RuneError && size == 1 || least(r) != l.least {
		return 0
	}
	return size
}
