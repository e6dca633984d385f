package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"unicode"
	"unicode/utf8"
)

// foldFinder finds a literal, ignoring case. It searches for one character of
// it, the anchor, by the bytes that the upper and lower case forms have at one
// index, and compares the characters before and after it. Matching characters
// may differ in length (k and the Kelvin sign), so only the anchor determines
// where a hit begins. An anchor that turns out to be common in a text is
// replaced by the next one, and the last by a pair.
type foldFinder struct {
	letters []letter
	anchors []anchor // at least one, the rarest first
	paired  bool     // a pair of letters can be looked for
	pair    pair     // the first anchor and another letter
	first   int      // bytes from the pair's beginning to the anchor
}

// letter is a character of the needle.
type letter struct {
	least        rune // of those that match it
	upper, lower byte // its ASCII forms, in either order; 0x80: it has none
}

// anchor is a letter to look for.
type anchor struct {
	index int    // of the letter
	bytes []byte // that its forms have at skip
	skip  int    // bytes from its beginning
}

// maxAnchors bounds how many are tried.
const maxAnchors = 3

func newFolded(text string) *foldFinder {
	f := &foldFinder{}
	runes := []rune(text)
	for i, r := range runes {
		f.letters = append(f.letters, newLetter(r))
		a := anchor{index: i, bytes: bytesAt(r, 0)}
		if last := utf8.RuneLen(r) - 1; last > 0 {
			if set := bytesAt(r, last); set != nil && costOf(set) < costOf(a.bytes) {
				a.bytes, a.skip = set, last
			}
		}
		f.anchors = append(f.anchors, a)
	}
	slices.SortStableFunc(f.anchors, func(a, b anchor) int { return cmp.Compare(costOf(a.bytes), costOf(b.bytes)) })
	f.choosePair(runes, f.anchors[0].index)
	same := func(a, b anchor) bool { return slices.Equal(a.bytes, b.bytes) }
	f.anchors = slices.CompactFunc(f.anchors, same)
	f.anchors = f.anchors[:min(len(f.anchors), maxAnchors)]
	return f
}

// choosePair looks for the rarest letter at a fixed distance from the anchor,
// if that is a letter whose forms differ in one bit, as most of ASCII's do.
func (f *foldFinder) choosePair(runes []rune, anchor int) {
	if !oneBit(runes[anchor]) {
		return
	}
	best := -1
	look := func(i int) (goOn bool) {
		if oneBit(runes[i]) && (best < 0 || costOf(bytesAt(runes[i], 0)) < costOf(bytesAt(runes[best], 0))) {
			best = i
		}
		return fixedLength(runes[i])
	}
	for i := anchor - 1; i >= 0 && look(i); i-- {
	}
	for i := anchor + 1; i < len(runes) && look(i); i++ {
	}
	if best < 0 {
		return
	}
	from, to := min(anchor, best), max(anchor, best)
	gap := len(string(runes[from:to]))
	f.paired, f.pair = true, pair{a: byte(runes[from]), b: byte(runes[to]), gap: gap, bit: 0x20}
	if best < anchor {
		f.first = gap
	}
}

// oneBit reports whether all forms of r are one byte, and the same but for the
// bit that is a letter's case.
func oneBit(r rune) bool {
	for _, form := range forms(r) {
		if form >= utf8.RuneSelf || form|0x20 != r|0x20 {
			return false
		}
	}
	return true
}

// fixedLength reports whether all forms of r have the same number of bytes.
func fixedLength(r rune) bool {
	for _, form := range forms(r) {
		if utf8.RuneLen(form) != utf8.RuneLen(r) {
			return false
		}
	}
	return true
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
// on its own, and every occurrence must be checked.
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

func (f *foldFinder) each(_ context.Context, text []byte, found func(start, end int)) error {
	from, at := 0, 0
	for i := range f.anchors {
		last := i == len(f.anchors)-1 && !f.paired
		if from, at = f.anchored(text, &f.anchors[i], from, at, last, found); from >= len(text) {
			return nil
		}
	}
	f.pairs(text, from, at, found)
	return nil
}

// anchored finds hits that begin at or after at by their anchors, starting at
// from. Unless toEnd is set, it stops if the anchor is too common and returns
// the from and at to continue with.
func (f *foldFinder) anchored(text []byte, a *anchor, from, at int, toEnd bool, found func(start, end int)) (int, int) {
	var room [4]int // no character has more forms
	next := room[:len(a.bytes)]
	for i, c := range a.bytes {
		next[i] = behind(text, from+a.skip, c)
	}
	for stops := 0; ; stops++ {
		which, place := 0, next[0]
		for i := 1; i < len(next); i++ {
			if next[i] < place {
				which, place = i, next[i]
			}
		}
		if place >= len(text) {
			return len(text), at
		}
		if !toEnd && tooCommon(stops, place-from) {
			// The anchor of the next hit is at or after this place.
			return max(at, place-utf8.UTFMax*len(f.letters)), at
		}
		if start, end, ok := f.matchAt(text, place-a.skip, a.index); ok && start >= at {
			at = end
			found(start, end)
		}
		next[which] = behind(text, place+1, a.bytes[which])
	}
}

// pairs finds hits that begin at or after at by the pair.
func (f *foldFinder) pairs(text []byte, from, at int, found func(start, end int)) {
	for ; ; from++ {
		if from = f.pair.next(text, from); from < 0 {
			return
		}
		if start, end, ok := f.matchAt(text, from+f.first, f.anchors[0].index); ok && start >= at {
			at = end
			found(start, end)
		}
	}
}

// behind returns the index of the next c in text at or after from, or
// len(text).
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
func (f *foldFinder) matchAt(text []byte, place, anchor int) (start, end int, ok bool) {
	end = place
	for i := anchor; i < len(f.letters); i++ {
		if end >= len(text) {
			return 0, 0, false
		}
		size := f.letters[i].matchFirst(text[end:])
		if size == 0 {
			return 0, 0, false
		}
		end += size
	}
	start = place
	for i := anchor - 1; i >= 0; i-- {
		if start <= 0 {
			return 0, 0, false
		}
		size := f.letters[i].matchLast(text[:start])
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
