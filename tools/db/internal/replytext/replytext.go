// Package replytext prepares text from outside, such as names, messages and
// statements, for replies: without characters that a reader does not see but a
// model does, and within bounds. It is not for terminals, where every hidden
// character is written out, nor for JSON or HTML. Start from [Shown]. Invariant:
// [Shown] and [Quote] return no character that [Hidden] reports.
package replytext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// Hidden reports characters that a person reading a reply does not see but a
// model does, or that change what is seen around them: controls, marks of
// direction, tags and other invisible format characters. Joiners stay, since
// scripts need them.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true // controls
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true // direction
	case r == 0x00ad, r == 0x180e, r == 0x200b, r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
		return true // invisible
	case r >= 0xe0000 && r <= 0xe007f:
		return true // tags
	}
	return false
}

// Clean returns text without hidden characters, and how many there were.
// Bytes that are not UTF-8 become U+FFFD each.
func Clean(text string) (string, int) {
	if !needsCleaning(text) {
		return text, 0
	}
	var b strings.Builder
	b.Grow(len(text))
	removed := 0
	for _, r := range text {
		if Hidden(r) {
			removed++
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), removed
}

func needsCleaning(text string) bool {
	for _, r := range text {
		if Hidden(r) || r == utf8.RuneError {
			return true
		}
	}
	return false
}

// maxShown bounds a name or message in a reply, in bytes.
const maxShown = 500

// Shown returns text as a message may carry it: cleaned and bounded.
func Shown(text string) string {
	text, _ = Clean(Cut(text, maxShown))
	return text
}

// Quote is Shown in quotes, for names that callers gave.
func Quote(text string) string { return `"` + Shown(Cut(text, 80)) + `"` }

// Cut shortens text to at most n bytes, at the start of a character, and
// marks that it did.
func Cut(text string, n int) string { return clip.Text(text, n) }

// mostNames bounds the names in one message.
const mostNames = 20

// List joins names for a message: twenty, and how many more there are.
func List(names []string) string {
	if more := len(names) - mostNames; more > 0 {
		return strings.Join(names[:mostNames], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
