package text_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/berth-dev/berth/tools/files/text"
)

// Whatever is edited, what lies outside the edited ranges is byte for byte
// what it was, and the diff counts what changed.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a\r\nb\nc"), "b", "B\nB", "c", "", false)
	f.Add([]byte("\xef\xbb\xbfx\r\r\ny"), "x", "\r", "y", "\n", true)
	f.Add([]byte("aaaa"), "aa", "a", "a", "aa", true)
	f.Add([]byte("é漢\n"), "é", "e\u0301", "漢\n", "", false)
	f.Fuzz(func(t *testing.T, content []byte, old1, new1, old2, new2 string, all bool) {
		info := text.Inspect(content)
		if info.Kind != text.Text {
			return
		}
		edits := []text.Edit{{Old: old1, New: new1, All: all}, {Old: old2, New: new2}}
		a, err := text.Apply(content, edits)
		var refused *text.EditError
		if errors.As(err, &refused) {
			if len(err.Error()) > 1000 || len(refused.Differ) > 300 || len(refused.Near) > 3 {
				t.Fatalf("a long refusal: %s", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkOutside(t, content, a)
		d := text.Compare(a.Before, a.After, a.Spans)
		if d.Additions-d.Deletions != lines(a.After)-lines(a.Before) {
			t.Fatalf("diff counts +%d -%d, lines went from %d to %d", d.Additions, d.Deletions, lines(a.Before), lines(a.After))
		}
		if d.Empty() != (a.Before == a.After) {
			t.Fatal("an empty diff of texts that differ, or the other way about")
		}
	})
}

func lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// checkOutside compares the bytes between the edited ranges: each unchanged
// piece of the unified text must stand in the bytes of before and of after
// alike, in its order.
func checkOutside(t *testing.T, before []byte, a *text.ApplyResult) {
	t.Helper()
	skip := func(content []byte) int {
		if bytes.HasPrefix(content, []byte("\xef\xbb\xbf")) {
			return 3
		}
		return 0
	}
	if skip(before) != skip(a.Content) && skip(before) == 3 {
		t.Fatal("the byte order mark is gone")
	}
	x, y := cursor{before, skip(before)}, cursor{a.Content, skip(before)}
	from, newFrom := 0, 0
	for _, s := range append(a.Spans, text.Span{OldStart: len(a.Before), OldEnd: len(a.Before), NewStart: len(a.After), NewEnd: len(a.After)}) {
		if got, want := y.take(s.NewStart-newFrom), x.take(s.OldStart-from); !bytes.Equal(got, want) {
			t.Fatalf("outside the edits %q became %q", want, got)
		}
		x.take(s.OldEnd - s.OldStart)
		y.take(s.NewEnd - s.NewStart)
		from, newFrom = s.OldEnd, s.NewEnd
	}
}

// cursor goes through bytes as through their unified text.
type cursor struct {
	content []byte
	at      int
}

func (c *cursor) take(n int) []byte {
	start := c.at
	for range n {
		if bytes.HasPrefix(c.content[c.at:], []byte("\r\n")) {
			c.at++
		}
		c.at++
	}
	return c.content[start:c.at]
}
