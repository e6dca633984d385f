package approval

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on what a person is shown, in bytes.
const (
	MaxQuestion = 8 << 10   // of a client's form; what is longer is filed
	MaxDetail   = 256 << 10 // of a filed plan; what is longer is cut and cannot be approved
	maxTitle    = 300
	maxClient   = 80
)

// shown is a plan as a person sees it.
type shown struct {
	title, detail string
	cut           bool   // detail is not all of it
	question      string // of a client's form; "": it would not fit one
}

// present makes what of a plan is shown.
func present(p Plan) shown {
	s := shown{title: clip(line(p.Title), maxTitle), detail: visible(p.Detail)}
	s.question = visible(p.Question)
	if s.question == "" {
		s.question = strings.TrimRight(s.title+"\n\n"+s.detail, "\n ")
	}
	if len(s.question) > MaxQuestion {
		s.question = ""
	}
	if len(s.detail) > MaxDetail {
		s.detail, s.cut = clip(s.detail, MaxDetail), true
	}
	return s
}

// visible writes what a person would not see, or would see elsewhere than it
// stands, as an escape: controls, marks of direction, invisible characters,
// bytes that are no UTF-8. What is allowed is to be what is seen. Line ends
// are told apart only where a text has both kinds.
func visible(text string) string {
	if n := strings.Count(text, "\r\n"); n > 0 && n == strings.Count(text, "\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case hidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// hidden tells of characters without a shape of their own on a screen.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', ' ', 0x200c, 0x200d: // the last two join letters in scripts that need it
		return false
	}
	return !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.Is(unicode.Zs, r)
}

// line is text on one line.
func line(text string) string {
	return strings.Join(strings.Fields(visible(text)), " ")
}

// clip cuts text to n bytes at most, at the start of a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
