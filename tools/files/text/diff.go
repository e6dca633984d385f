package text

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"znkr.io/diff"
)

// Diff is how two unified texts differ, by lines.
type Diff struct {
	Additions, Deletions int // lines
	hunks                []string
}

// contextLines is how many lines a hunk shows around its changes.
const contextLines = 3

// minimalLines is the largest range for which the shortest diff is computed.
// For larger ones the time would grow quadratically.
const minimalLines = 20_000

// Compare compares two unified texts. Spans say where they differ; nil:
// somewhere.
func Compare(before, after string, spans []Span) Diff {
	if spans == nil {
		spans = []Span{{0, len(before), 0, len(after)}}
	}
	c := comparison{before: linesOf(before), after: linesOf(after)}
	for _, r := range c.regions(spans) {
		c.compare(r)
	}
	return c.diff()
}

// textLines are the lines of a text, each with its line break.
type textLines struct {
	text   string
	starts []int // of each line, and the end of the text
}

func linesOf(s string) textLines {
	t := textLines{text: s}
	for at := 0; at < len(s); {
		t.starts = append(t.starts, at)
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	t.starts = append(t.starts, len(s))
	return t
}

func (t textLines) count() int        { return len(t.starts) - 1 }
func (t textLines) line(i int) string { return t.text[t.starts[i]:t.starts[i+1]] }

func (t textLines) slice(from, to int) []string {
	lines := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		lines = append(lines, t.line(i))
	}
	return lines
}

// at is the line of a place, from 0. The end of a text belongs to its last
// line, or to the one after it where that has its line break.
func (t textLines) at(place int) int {
	i := sort.SearchInts(t.starts, place+1) - 1
	if i == t.count() && i > 0 && !strings.HasSuffix(t.text, "\n") {
		i--
	}
	return i
}

// run is one change: lines of before that are replaced by lines of after.
type run struct{ from, to, newFrom, newTo int }

type comparison struct {
	before, after textLines
	runs          []run
}

// regions returns the lines that contain the spans, joining adjacent ones.
func (c *comparison) regions(spans []Span) []run {
	var list []run
	for _, s := range spans {
		r := run{c.before.at(s.OldStart), c.before.at(s.OldEnd) + 1, c.after.at(s.NewStart), c.after.at(s.NewEnd) + 1}
		r.to, r.newTo = min(r.to, c.before.count()), min(r.newTo, c.after.count())
		if n := len(list); n > 0 && (r.from <= list[n-1].to || r.newFrom <= list[n-1].newTo) {
			list[n-1].to, list[n-1].newTo = r.to, r.newTo
		} else {
			list = append(list, r)
		}
	}
	return list
}

// compare finds the changes of one region.
func (c *comparison) compare(r run) {
	x, y := c.before.slice(r.from, r.to), c.after.slice(r.newFrom, r.newTo)
	options := []diff.Option{diff.Context(0)}
	if len(x)+len(y) <= minimalLines {
		options = append(options, diff.Minimal())
	}
	for _, h := range diff.Hunks(x, y, options...) {
		c.runs = append(c.runs, run{r.from + h.PosX, r.from + h.EndX, r.newFrom + h.PosY, r.newFrom + h.EndY})
	}
}

// diff returns the changes as hunks.
func (c *comparison) diff() Diff {
	var d Diff
	for len(c.runs) > 0 {
		n := 1
		for n < len(c.runs) && c.runs[n].from-c.runs[n-1].to <= 2*contextLines {
			n++
		}
		d.hunks = append(d.hunks, c.hunk(c.runs[:n]))
		c.runs = c.runs[n:]
	}
	for _, h := range d.hunks {
		for line := range strings.Lines(h) {
			switch line[0] {
			case '+':
				d.Additions++
			case '-':
				d.Deletions++
			}
		}
	}
	return d
}

func (c *comparison) hunk(runs []run) string {
	first, last := runs[0], runs[len(runs)-1]
	from := max(0, first.from-contextLines)
	to := min(c.before.count(), last.to+contextLines)
	newFrom := first.newFrom - (first.from - from)
	newTo := last.newTo + (to - last.to)
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", position(from, to), position(newFrom, newTo))
	at := from
	for _, r := range runs {
		write(&b, ' ', c.before, at, r.from)
		write(&b, '-', c.before, r.from, r.to)
		write(&b, '+', c.after, r.newFrom, r.newTo)
		at = r.to
	}
	write(&b, ' ', c.before, at, to)
	return b.String()
}

// position formats a range of lines for the header of a hunk.
func position(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func write(b *strings.Builder, mark byte, lines textLines, from, to int) {
	for i := from; i < to; i++ {
		line := lines.line(i)
		b.WriteByte(mark)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// Empty reports whether nothing differs.
func (d Diff) Empty() bool { return len(d.hunks) == 0 }

// Text returns the unified diff of a file in at most limit bytes; 0: no limit.
// What does not fit is left out hunk by hunk, then line by line, with a mark.
func (d Diff) Text(path string, created bool, limit int) (text string, cut bool) {
	var b strings.Builder
	old := "a/" + path
	if created {
		old = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", quoted(old), quoted("b/"+path))
	for i, h := range d.hunks {
		if limit == 0 || b.Len()+len(h) <= limit-len(cutMark) {
			b.WriteString(h)
			continue
		}
		for line := range strings.Lines(h) {
			if b.Len()+len(line) > limit-len(cutMark) {
				break
			}
			b.WriteString(line)
		}
		fmt.Fprintf(&b, "… cut here, in hunk %d of %d\n", i+1, len(d.hunks))
		return b.String(), true
	}
	return b.String(), false
}

// Changed returns the diff without context: only removed and added lines, with
// the line number before each hunk but the first. It is for forms that show few
// lines.
func (d Diff) Changed() string {
	var b strings.Builder
	for i, h := range d.hunks {
		head, lines, _ := strings.Cut(h, "\n")
		if i > 0 {
			b.WriteString(head + "\n")
		}
		for line := range strings.Lines(lines) {
			if line[0] != ' ' {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// cutMark is the mark of a cut at its maximum length.
const cutMark = "… cut here, in hunk 00000000 of 00000000\n"

// quoted keeps a path in its line.
func quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' || r == '\\' }) {
		return strconv.Quote(path)
	}
	return path
}

// Range is a range of lines, from 1, both ends in it. To is before From where
// lines were only taken out: before From.
type Range struct{ From, To int }

// ChangedLines compares fingerprints of lines, see [Fingerprints], and
// returns where the newer differs, in its lines.
func ChangedLines(before, after []uint64) []Range {
	var list []Range
	for _, h := range diff.Hunks(before, after, diff.Context(0)) {
		list = append(list, Range{h.PosY + 1, h.EndY})
	}
	return slices.Clip(list)
}
