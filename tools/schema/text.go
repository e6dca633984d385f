package schema

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// maxName bounds a name repeated in a message.
const maxName = 64

// shortName is a name as messages repeat it.
func shortName(s string) string { return clip.Text(s, maxName) }

// quote renders a caller's value for a message.
func quote(s string) string { return "'" + shortName(s) + "'" }

// reveal writes the invisible characters of JSON text as \u escapes: what a
// database's names hide (direction overrides, zero-width and tag characters)
// must not reach a model unseen, and the value stays what it is.
func reveal(text []byte) []byte {
	hidden := func(r rune) bool { return r > 0x7f && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) }
	found := false
	for _, r := range string(text) {
		if hidden(r) {
			found = true
			break
		}
	}
	if !found {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if !hidden(r) {
			out = utf8.AppendRune(out, r)
		} else if r > 0xffff {
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
