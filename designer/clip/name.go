package clip

import "unicode/utf8"

// maxName bounds, in characters, a name repeated in a message.
const maxName = 64

// Name shortens a name to 64 characters and an ellipsis, and replaces what
// does not belong in a message of one line.
func Name(s string) string {
	n := 0
	for i := range s {
		if n == maxName {
			return Printable(s[:i]) + "…"
		}
		n++
	}
	return Printable(s)
}

// Printable replaces the control characters of s.
func Printable(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r < ' ' || r == 0x7f {
			out[i] = utf8.RuneError
		}
	}
	return string(out)
}

// Quote is [Name] in single quotes.
func Quote(name string) string { return "'" + Name(name) + "'" }
