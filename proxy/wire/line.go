package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// MaxReplyDepth bounds the nesting of a reply line: a result's structured
// part may be as deep as a call, inside the line.
const MaxReplyDepth = MaxDepth + 8

// Errors of the line reader and writer.
var (
	ErrLineTooLong = errors.New("line is too long")
	ErrReplyEnded  = errors.New("reply has ended")
)

// End reports whether l ends a reply.
func (l Line) End() bool { return l.Result != nil || l.Input != nil || l.Failure != nil }

// LineWriter writes the lines of one reply, each with one Write. It is safe for
// concurrent use. It writes nothing after the line that ends the reply.
type LineWriter struct {
	flush func()

	mu    sync.Mutex
	w     io.Writer
	ended bool
}

// NewLineWriter returns a LineWriter that writes to w. It calls flush, unless
// that is nil, after each line but the one that ends the reply: an HTTP server
// sends that one together with the end of the body, which would otherwise be a
// second packet that the reader waits for.
func NewLineWriter(w io.Writer, flush func()) *LineWriter {
	return &LineWriter{w: w, flush: flush}
}

// Write sends one line. It returns [ErrReplyEnded] after the end, and
// [ErrLineTooLong] with nothing written for a line over [MaxLineBytes].
func (w *LineWriter) Write(l Line) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf) // ends the value with the newline
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return fmt.Errorf("encode reply line: %w", err)
	}
	if buf.Len() > MaxLineBytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrLineTooLong, buf.Len(), MaxLineBytes)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return ErrReplyEnded
	}
	w.ended = l.End()
	if _, err := w.w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("write reply line: %w", err)
	}
	if w.flush != nil && !w.ended {
		w.flush()
	}
	return nil
}

// LineReader reads the lines of one reply.
type LineReader struct {
	r     *bufio.Reader
	ended bool
}

// NewLineReader returns a LineReader that reads from r.
func NewLineReader(r io.Reader) *LineReader { return &LineReader{r: bufio.NewReader(r)} }

// Next returns the next line: strict JSON with exactly one field. It returns
// io.EOF after the line that ended the reply, and io.ErrUnexpectedEOF when
// the stream ends before one.
func (r *LineReader) Next() (Line, error) {
	if r.ended {
		return Line{}, io.EOF
	}
	raw, err := ReadLine(r.r, MaxLineBytes)
	if err != nil {
		return Line{}, fmt.Errorf("read reply line: %w", err)
	}
	var l Line
	if err := Decode(raw, MaxReplyDepth, MaxLineBytes, &l); err != nil {
		return Line{}, fmt.Errorf("read reply line: %w", err)
	}
	if l.fields() != 1 {
		return Line{}, fmt.Errorf("read reply line: %d of progress, result, inputRequired and failure are set, want one", l.fields())
	}
	r.ended = l.End()
	return l, nil
}

// ReadLine returns the next line with its newline, or [ErrLineTooLong] if it has
// more than limit bytes. A line without an end is io.ErrUnexpectedEOF.
func ReadLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, fmt.Errorf("%w: more than %d bytes", ErrLineTooLong, limit)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func (l Line) fields() int {
	n := 0
	for _, set := range []bool{l.Progress != nil, l.Result != nil, l.Input != nil, l.Failure != nil} {
		if set {
			n++
		}
	}
	return n
}
