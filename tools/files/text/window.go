package text

import "strings"

// minWindow is the shortest text that is looked for within lines, in bytes. For
// shorter ones any line has a place.
const minWindow = 6

// window looks for the place within a long line that is most like a short
// text. It takes time in proportion to the line.
type window struct {
	want  string
	grams [1 << 16]bool // pairs of bytes of want
	count int           // of different pairs
}

// newWindow returns a window for a text without its surrounding white space;
// nil for one that is too short.
func newWindow(want string) *window {
	want = strings.TrimSpace(want)
	if len(want) < minWindow {
		return nil
	}
	w := &window{want: want}
	for i := 0; i+1 < len(want); i++ {
		if g := pair(want, i); !w.grams[g] {
			w.grams[g] = true
			w.count++
		}
	}
	return w
}

func pair(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// best returns where the most similar part of a line begins, and how similar it
// is, from 0 to 1. Lines that are hardly longer than the text are compared as a
// whole elsewhere.
func (w *window) best(line string) (at int, score float64) {
	if w == nil || len(line) < len(w.want)+len(w.want)/2 {
		return 0, 0
	}
	pairs, in, most := len(w.want)-1, 0, 0
	for i := 0; i+1 < len(line); i++ {
		if w.grams[pair(line, i)] {
			in++
		}
		if i >= pairs && w.grams[pair(line, i-pairs)] {
			in--
		}
		if in > most && i >= pairs-1 {
			at, most = i-pairs+1, in
		}
	}
	if 2*most < pairs {
		return 0, 0
	}
	return at, w.likeness(line[at : at+len(w.want)])
}

// likeness is the share of different pairs that the text and a part of a line
// have in common.
func (w *window) likeness(part string) float64 {
	seen := map[uint16]bool{}
	common := 0
	for i := 0; i+1 < len(part); i++ {
		if g := pair(part, i); !seen[g] {
			seen[g] = true
			if w.grams[g] {
				common++
			}
		}
	}
	return 0.97 * 2 * float64(common) / float64(w.count+len(seen))
}
