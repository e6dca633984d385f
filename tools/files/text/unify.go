package text

import (
	"sort"
	"strings"
)

// Content is a text as shown and matched: without a byte order mark and with
// line feeds as line breaks. It can map positions back to the original bytes.
type Content struct {
	Text  string
	raw   []byte
	skip  int     // bytes of the byte order mark
	pairs []int32 // where in Text a line feed stands for a carriage return and a line feed
}

// Normalize reads a content of kind [Text]. The content must not change as long
// as the result is in use.
func Normalize(content []byte) Content {
	u := Content{raw: content}
	rest := string(content)
	if strings.HasPrefix(rest, bom) {
		u.skip = len(bom)
		rest = rest[len(bom):]
	}
	if !strings.Contains(rest, "\r\n") {
		u.Text = rest
		return u
	}
	var b strings.Builder
	b.Grow(len(rest))
	for {
		before, after, found := strings.Cut(rest, "\r\n")
		b.WriteString(before)
		if !found {
			break
		}
		u.pairs = append(u.pairs, int32(b.Len()))
		b.WriteByte('\n')
		rest = after
	}
	u.Text = b.String()
	return u
}

// offset is the place in the bytes of a place in Text.
func (u *Content) offset(at int) int { return u.skip + at + u.pairsBefore(at) }

func (u *Content) pairsBefore(at int) int {
	return sort.Search(len(u.pairs), func(i int) bool { return int(u.pairs[i]) >= at })
}

// ending is the line break that the line feed at a place in Text stands for.
func (u *Content) ending(at int) string {
	if i := u.pairsBefore(at); i < len(u.pairs) && int(u.pairs[i]) == at {
		return "\r\n"
	}
	return "\n"
}

// endingNear is the line break of the line at a place, else of the line
// before it.
func (u *Content) endingNear(at int) string {
	if i := strings.IndexByte(u.Text[at:], '\n'); i >= 0 {
		return u.ending(at + i)
	}
	if i := strings.LastIndexByte(u.Text[:at], '\n'); i >= 0 {
		return u.ending(i)
	}
	return "\n"
}

// unifyText does to a caller's text what [Normalize] does to a file's.
func unifyText(s string) string {
	for strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s
}
