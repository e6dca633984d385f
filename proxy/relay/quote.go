package relay

import (
	"io"
	"strings"
	"sync"
	"unicode"
)

// maxQuoted bounds what is quoted of a command's output.
const maxQuoted = 600

// quote returns the end of what a command printed, for one line of a message:
// wsl.exe writes UTF-16, and a host may send control characters.
func quote(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	return tail(strings.Join(strings.Fields(text), " "), maxQuoted)
}

// tail returns the last n bytes of text.
func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-n:], "")
}

// ending keeps the end of what is written to it.
type ending struct {
	mu   sync.Mutex
	text string
}

// copyFrom reads r to its end.
func (e *ending) copyFrom(r io.Reader) {
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Read(buf)
		e.mu.Lock()
		e.text = tail(e.text+string(buf[:n]), 4*maxQuoted)
		e.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (e *ending) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text
}
