package settings

import (
	"fmt"
	"strings"
)

// FileError says what is wrong in which settings file.
type FileError struct {
	File    string // its path
	Line    int    // counted from 1; 0: the file as a whole
	Key     string // the key it is about, dotted from the top; empty: none
	Problem string // what is wrong, lower case
	Advice  string // what to do about it; may be empty
	Err     error  // the cause, where there is one
}

// Error names file, line and key.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString("read settings ")
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Problem)
	return b.String()
}

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }

// Hint is the advice, for a line of its own below the error: mending is what
// helps where there is none.
func (e *FileError) Hint() string {
	switch {
	case e.Advice != "":
		return e.Advice
	case e.Line > 0:
		return "mend that line; the README's section Configuration shows every setting"
	}
	return "mend that file, or move it away: nothing needs it"
}

// shown is a word of a file as an error may show it: quoted and short.
func shown(s string) string {
	const limit = 40
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
