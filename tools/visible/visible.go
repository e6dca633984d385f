// Package visible escapes text from outside so that a person sees what it
// contains. Names of tables, files and projects, a server's messages and an
// agent's words may contain escape sequences that control a terminal, marks
// that change the text direction, and invisible characters; all of these are
// escaped.
//
//	Text   several lines, for people     x\u{1b}[2K
//	Line   one line, for people; SingleLine the same with its spaces
//	JSON   the same value, for programs  "x\u001b[2K"
//	Writer everything a command prints
//
// It does not quote for shells or HTML. Start with [Text]. Invariant: no result
// contains a control character other than newline and tab.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text escapes what would be invisible or displayed elsewhere: \u{202e} for a
// character, \xff for a byte that is not UTF-8. Carriage returns before line
// feeds are escaped only if a text has both kinds of line ends.
func Text(text string) string {
	if n := strings.Count(text, "\r\n"); n > 0 && n == strings.Count(text, "\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return escape(text, appendText)
}

func appendText(b []byte, r rune) []byte { return fmt.Appendf(b, `\u{%x}`, r) }

// Line is like [Text] but returns one line, with runs of white space replaced
// by one space.
func Line(text string) string { return strings.Join(strings.Fields(Text(text)), " ") }

// SingleLine is Text with every line break and tab as a space. Unlike [Line] it
// keeps other white space, so that a path in a message stays what it is.
func SingleLine(text string) string {
	return Text(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\t':
			return ' '
		}
		return r
	}, text))
}

// escape copies text; write writes what is hidden.
func escape(text string, write func(b []byte, r rune) []byte) string {
	if clean(text) {
		return text
	}
	b := make([]byte, 0, len(text)+16)
	before := rune(' ')
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		next, _ := utf8.DecodeRuneInString(text[size:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\x%02x`, text[0])
		case hidden(before, r, next):
			b = write(b, r)
		default:
			b = append(b, text[:size]...)
		}
		before, text = r, text[size:]
	}
	return string(b)
}

// clean reports whether text is printable ASCII, which most is.
func clean(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// Characters that join or select the look of their neighbours.
const (
	nonJoiner     = 0x200c
	joiner        = 0x200d
	textStyle     = 0xfe0e
	emojiStyle    = 0xfe0f
	brailleBlank  = 0x2800
	idNonCharHigh = 0xfffe
)

// hidden reports whether r, between two neighbours, is invisible or moves the
// characters beside it.
func hidden(before, r, after rune) bool {
	switch r {
	case '\n', '\t', ' ':
		return false
	case nonJoiner, joiner:
		return !joins(before) || !joins(after)
	case textStyle, emojiStyle:
		return !styled(before)
	case brailleBlank:
		return true
	}
	return !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r&idNonCharHigh == idNonCharHigh
}

// joins reports whether a letter or picture may be joined to its neighbour by
// an invisible character: the scripts that are written so, and emoji. A byte
// that is not UTF-8 stands for no picture, and is not shown as one.
func joins(r rune) bool {
	if r == utf8.RuneError {
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar) ||
		r > unicode.MaxLatin1 && unicode.In(r, unicode.So, unicode.Sk) || r == emojiStyle
}

// styled reports whether r may be followed by a variation selector.
func styled(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, unicode.So, unicode.Sm, unicode.Po) || '0' <= r && r <= '9'
}
