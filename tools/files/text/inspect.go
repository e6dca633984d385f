package text

import (
	"bytes"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a content.
type Kind string

// The kinds. Only text can be read and edited.
const (
	Text    Kind = "text"    // UTF-8
	Foreign Kind = "foreign" // text in another encoding
	Binary  Kind = "binary"
)

// The line endings of a content.
const (
	LF    = "lf"
	CRLF  = "crlf"
	Mixed = "mixed"
	None  = "none" // it has one line
)

// Info is what [Inspect] found.
type Info struct {
	Kind  Kind
	Guess string // of Foreign the likely encoding, of Binary the media type
	// Bad is the first byte that is not UTF-8, from 0, of Foreign; -1 where
	// the whole is in another encoding.
	Bad          int
	BOM          bool   // it starts with a UTF-8 byte order mark
	LineEnding   string // LF, CRLF, Mixed or None
	Lines        int    // line breaks and one
	FinalNewline bool
}

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// Inspect returns the Info of a whole content.
func Inspect(content []byte) Info {
	i := Info{Kind: Text, Bad: -1, LineEnding: None}
	if i.foreign(content) {
		return i
	}
	i.BOM = bytes.HasPrefix(content, []byte(bom))
	breaks := bytes.Count(content, []byte("\n"))
	pairs := bytes.Count(content, []byte("\r\n"))
	switch {
	case breaks == 0:
	case pairs == 0:
		i.LineEnding = LF
	case pairs == breaks:
		i.LineEnding = CRLF
	default:
		i.LineEnding = Mixed
	}
	i.Lines = breaks + 1
	i.FinalNewline = bytes.HasSuffix(content, []byte("\n"))
	return i
}

// foreign reports whether content is not UTF-8 text, and what it may be.
func (i *Info) foreign(content []byte) bool {
	if name := marked(content); name != "" {
		i.Kind, i.Guess = Foreign, name
		return true
	}
	if bytes.IndexByte(content, 0) >= 0 {
		if name := wide(content); name != "" {
			i.Kind, i.Guess = Foreign, name
			return true
		}
		i.Kind, i.Guess = Binary, mediaType(content)
		return true
	}
	bad := invalidAt(content)
	if bad < 0 {
		return false
	}
	if kind := mediaType(content); kind != "application/octet-stream" && !strings.HasPrefix(kind, "text/") || control(content) {
		i.Kind, i.Guess = Binary, kind
		return true
	}
	i.Kind, i.Guess, i.Bad = Foreign, eightBit(content), bad
	return true
}

func mediaType(content []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(content), ";")
	if strings.HasPrefix(kind, "text/") { // of a content that is not
		return "application/octet-stream"
	}
	return kind
}

// marked returns the encoding of a byte order mark other than UTF-8's.
func marked(content []byte) string {
	for _, m := range []struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32 little-endian"}, {"\x00\x00\xfe\xff", "UTF-32 big-endian"},
		{"\xff\xfe", "UTF-16 little-endian"}, {"\xfe\xff", "UTF-16 big-endian"},
	} {
		if bytes.HasPrefix(content, []byte(m.mark)) {
			return m.name
		}
	}
	return ""
}

// sample is how much of a content its encoding is guessed from.
const sample = 8 << 10

// wide guesses UTF-16 without a mark: text of Western characters has a zero
// in every other byte.
func wide(content []byte) string {
	head := content[:min(len(content), sample)&^1]
	if len(head) < 4 || len(content)%2 != 0 {
		return ""
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most := len(head) / 2 * 7 / 10
	switch {
	case zeros[1] > most && zeros[0] == 0:
		return "UTF-16 little-endian"
	case zeros[0] > most && zeros[1] == 0:
		return "UTF-16 big-endian"
	}
	return ""
}

// invalidAt is the first byte that is not UTF-8, -1 if all are.
func invalidAt(content []byte) int {
	if utf8.Valid(content) {
		return -1
	}
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// control reports whether a content has more control characters than a text.
func control(content []byte) bool {
	head := content[:min(len(content), sample)]
	n := 0
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b {
			n++
		}
	}
	return n > len(head)/20
}

// eightBit guesses the encoding of a content that is not UTF-8: characters of
// Latin alphabets stand alone among ASCII, those of East Asia in pairs.
func eightBit(content []byte) string {
	alone, together, c1 := 0, 0, 0
	for i := 0; i < len(content); i++ {
		if content[i] < 0x80 {
			continue
		}
		run := i
		for i < len(content) && content[i] >= 0x80 {
			if content[i] < 0xa0 {
				c1++
			}
			i++
		}
		if i-run == 1 {
			alone++
		} else {
			together++
		}
	}
	switch {
	case together > alone:
		return "a multi-byte encoding such as Shift_JIS, GBK or EUC"
	case c1 > 0:
		return "Windows-1252"
	}
	return "ISO-8859-1 (Latin-1)"
}
