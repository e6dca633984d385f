package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// Limits of a hint.
const (
	maxNear     = 3
	maxNearLine = 200 // bytes
	maxCompared = 50  // lines
)

// noMatch returns the error for a text that is not in the file, with the
// nearest lines.
func noMatch(whole, old string, index int) *EditError {
	e := &EditError{Edit: index, Reason: NoMatch}
	lines := strings.Split(whole, "\n")
	wanted := strings.Split(old, "\n")
	first := 0 // the first line of the wanted that says something
	for first < len(wanted)-1 && strings.TrimSpace(wanted[first]) == "" {
		first++
	}
	near := nearest(lines, wanted[first:])
	for _, n := range near {
		e.Near = append(e.Near, Line{Number: n.line + 1, Text: n.excerpt(lines[n.line])})
	}
	if len(near) > 0 && (first == 0 || near[0].at < 0) {
		e.Differ = difference(whole, lines, near[0].line-first, near[0].at, old)
	}
	return e
}

// spot is a place like the wanted text.
type spot struct {
	line int // from 0
	at   int // where in the line; -1: the whole of it
}

// excerpt returns the part of its line to show.
func (s spot) excerpt(line string) string {
	if len(line) <= maxNearLine || s.at < maxNearLine/2 {
		return clip.Text(line, maxNearLine)
	}
	from := clip.Boundary(line, s.at-maxNearLine/4)
	return "…" + clip.Text(line[from:], maxNearLine)
}

// nearest are the lines most like the first of the wanted, the best first,
// from 0. Of lines that differ in white space only, those win that the lines
// behind them follow too.
func nearest(lines, wanted []string) []spot {
	type candidate struct {
		spot
		score float64
	}
	keys := make([]string, 0, maxCompared)
	for _, w := range wanted[:min(len(wanted), maxCompared)] {
		keys = append(keys, squeeze(w))
	}
	if keys[0] == "" {
		return nil
	}
	grams, within := gramsOf(keys[0]), newWindow(wanted[0])
	var best []candidate
	for i, line := range lines {
		score, at := 0.0, -1
		if key := squeeze(clip.Text(line, 2000)); key == keys[0] {
			score = 1
			for j := 1; j < len(keys) && i+j < len(lines) && squeeze(clip.Text(lines[i+j], 2000)) == keys[j]; j++ {
				score++
			}
		} else if strings.Contains(key, keys[0]) {
			score = 0.99
		} else {
			score = likeness(grams, keys[0], key)
			if place, s := within.best(line); s > score {
				score, at = s, place
			}
		}
		if score < 0.5 {
			continue
		}
		best = append(best, candidate{spot{i, at}, score})
		slices.SortStableFunc(best, func(a, b candidate) int {
			switch {
			case a.score > b.score:
				return -1
			case a.score < b.score:
				return 1
			}
			return 0
		})
		best = best[:min(len(best), maxNear)]
	}
	out := make([]spot, len(best))
	for i, b := range best {
		out[i] = b.spot
	}
	return out
}

// squeeze removes white space and characters that look like it.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// gram is a pair of bytes.
type gram [2]byte

func gramsOf(s string) map[gram]bool {
	grams := map[gram]bool{}
	for i := 0; i+1 < len(s); i++ {
		grams[gram{s[i], s[i+1]}] = true
	}
	return grams
}

// likeness is from 0 to 1: the share of pairs of bytes that two lines have in
// common.
func likeness(grams map[gram]bool, want, line string) float64 {
	if len(want) < 2 || len(line) < 2 || len(line) > 4*len(want)+8 {
		return 0
	}
	common := 0
	for i := 0; i+1 < len(line); i++ {
		if grams[gram{line[i], line[i+1]}] {
			common++
		}
	}
	return min(1, 2*float64(common)/float64(len(want)+len(line)-2))
}

// difference names the first character in which the file, from a line on, or
// from near a place in it, differs from the wanted text.
func difference(whole string, lines []string, line, near int, old string) string {
	if line < 0 {
		return ""
	}
	at := 0
	for _, l := range lines[:line] {
		at += len(l) + 1
	}
	head, _, _ := strings.Cut(old, "\n")
	if near >= 0 {
		from := max(0, near-len(head))
		at += from + align(lines[line][from:min(len(lines[line]), near+2*len(head))], head)
	} else {
		at += align(lines[line], head)
	}
	n := 0
	for n < len(old) && at+n < len(whole) && old[n] == whole[at+n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(old[min(n, len(old)-1)]) {
		n--
	}
	if n >= len(old) {
		return ""
	}
	place := at + n
	column := utf8.RuneCountInString(whole[strings.LastIndexByte(whole[:place], '\n')+1:place]) + 1
	return fmt.Sprintf("line %d, column %d: the file has %s where old_text has %s",
		LineAt(whole, place), column, named(whole[place:]), named(old[n:]))
}

// align is where in a line the wanted first line begins: where most of it
// agrees.
func align(line, want string) int {
	if want == "" || unicode.IsSpace(rune(want[0])) {
		return 0
	}
	line = clip.Text(line, 2000)
	best, length := len(line)-len(strings.TrimLeft(line, " \t")), 0
	for i := range line {
		n := 0
		for n < len(want) && i+n < len(line) && want[n] == line[i+n] {
			n++
		}
		if n > length {
			best, length = i, n
		}
	}
	return best
}

// named returns the name of the first character of a text, for white space with
// its count.
func named(s string) string {
	if s == "" {
		return "its end"
	}
	r, size := utf8.DecodeRuneInString(s)
	run := 1
	for rest := s[size:]; strings.HasPrefix(rest, s[:size]) && run < 1000; rest = rest[size:] {
		run++
	}
	name := ""
	switch r {
	case ' ':
		name = "space"
	case '\t':
		name = "tab"
	case '\n':
		return "a line break"
	case '\r':
		name = "carriage return"
	case 0xa0:
		name = "no-break space (U+00A0)"
	case 0x202f:
		name = "narrow no-break space (U+202F)"
	case 0x3000:
		name = "ideographic space (U+3000)"
	case 0x200b:
		name = "zero-width space (U+200B)"
	case 0xfeff:
		name = "zero-width no-break space (U+FEFF)"
	default:
		if r < 0x80 && unicode.IsPrint(r) {
			return fmt.Sprintf("the character %c", r)
		}
		if unicode.IsPrint(r) {
			return fmt.Sprintf("the character %c (%U)", r, r)
		}
		return fmt.Sprintf("the character %U", r)
	}
	if run > 1 {
		base, code, _ := strings.Cut(name, " (")
		if code != "" {
			code = " (" + code
		}
		return fmt.Sprintf("%d %ss%s", run, base, code)
	}
	return "a " + name
}
