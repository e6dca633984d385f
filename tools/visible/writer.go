package visible

import (
	"io"
	"sync"
	"unicode/utf8"
)

// Writer escapes what is written to it and writes it to the underlying writer.
// Unlike [Text] it escapes every carriage return. It is safe for concurrent
// use.
type Writer struct {
	To   io.Writer
	JSON bool // what is written is JSON, escaped as such

	mu   sync.Mutex
	rest []byte // the first bytes of a character whose others are still to come
}

// Write escapes p. It returns the number of bytes of p, not of those written.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, p...)
	whole := len(text)
	for i := 1; i <= min(len(text), utf8.UTFMax-1); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole -= i
			}
			break
		}
	}
	w.rest = append([]byte(nil), text[whole:]...)
	if err := w.putLocked(text[:whole]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes an incomplete character at the end of the input.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := w.rest
	w.rest = nil
	return w.putLocked(rest)
}

func (w *Writer) putLocked(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	shown := escape(string(text), appendText)
	if w.JSON {
		shown = string(JSON(text))
	}
	_, err := io.WriteString(w.To, shown)
	return err
}
