package designer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// ScriptError reports where a text that was to be read cannot be, and why. The
// cause says what was found, in words for everyone.
type ScriptError struct {
	Line   int    // from 1; 0: not known
	Column int    // from 1, in characters; 0: not known
	Source string // the line as it stands in the text
	Server bool   // the cause is a server's answer
	Err    error
}

// ErrorAt returns a [ScriptError] for the byte offset pos of text.
func ErrorAt(text string, pos int, err error) *ScriptError {
	pos = min(max(pos, 0), len(text))
	start := strings.LastIndexByte(text[:pos], '\n') + 1
	return &ScriptError{Line: strings.Count(text[:start], "\n") + 1, Column: utf8.RuneCountInString(text[start:pos]) + 1,
		Source: lineAt(text, start), Err: err}
}

// ErrorOnLine returns a [ScriptError] for a line of text, from 1.
func ErrorOnLine(text string, line int, err error) *ScriptError {
	start := 0
	for range line - 1 {
		n := strings.IndexByte(text[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	return &ScriptError{Line: line, Source: lineAt(text, start), Err: err}
}

func lineAt(text string, start int) string {
	line, _, _ := strings.Cut(text[start:], "\n")
	return strings.TrimSuffix(line, "\r")
}

// Refused returns e as one whose cause is a server's answer.
func (e *ScriptError) Refused() *ScriptError {
	e.Server = true
	return e
}

func (e *ScriptError) Error() string {
	switch {
	case e.Line == 0:
		return e.Err.Error()
	case e.Column == 0:
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *ScriptError) Unwrap() error { return e.Err }

// The most characters of a line that an excerpt has, and how many of them
// stand before the place.
const (
	maxExcerpt    = 100
	excerptBefore = 60
)

// Excerpt returns the line's text, shortened around the place, and below it a
// caret under the place. It is "" if the line is not known or blank.
func (e *ScriptError) Excerpt() string {
	line := []rune(clip.Printable(strings.ReplaceAll(e.Source, "\t", " ")))
	if strings.TrimSpace(string(line)) == "" {
		return ""
	}
	at := min(max(e.Column-1, 0), len(line))
	if from := at - excerptBefore; from > 0 {
		line, at = append([]rune("…"), line[from:]...), excerptBefore+1
	}
	if len(line) > maxExcerpt {
		line = append(line[:maxExcerpt:maxExcerpt], '…')
	}
	text := strings.TrimRight(string(line), " ")
	if e.Column == 0 {
		return text
	}
	return text + "\n" + strings.Repeat(" ", at) + "^"
}
