package visible

import (
	"fmt"
	"strings"
)

// JSON writes the hidden characters of compact JSON as \u escapes: they stand
// in its strings only, so the value stays what it is. Bytes that are not UTF-8
// become U+FFFD. Text that is not JSON comes out safe, but as JSON escapes it.
func JSON(text []byte) []byte {
	return []byte(escape(strings.ToValidUTF8(string(text), "\ufffd"), appendJSON))
}

// appendJSON writes r as one escape, or as two beyond the first plane.
func appendJSON(b []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
