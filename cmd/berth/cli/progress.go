package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/berth-dev/berth/proxy/wire"
)

// quietFor is how long a command works before it says in a pipe how far it is,
// and how long it is silent between two lines.
const quietFor = 2 * time.Second

// maxBarLine is how many characters a line with a bar has at most: it must not
// wrap, since then a carriage return leaves a part of it.
const maxBarLine = 78

// progressView shows how far a call is: on a terminal in one line that is
// written over, elsewhere in lines of their own.
type progressView struct {
	out      io.Writer
	terminal bool
	drawn    int       // characters of the line on the terminal
	last     time.Time // of the last line in a pipe, or the beginning
}

func newProgressView(out io.Writer) *progressView {
	return &progressView{out: out, terminal: isTerminal(out), last: time.Now()}
}

// show is a call's progress function.
func (v *progressView) show(p wire.Progress) {
	if v.terminal {
		v.draw(progressBar(p))
		return
	}
	if p.Message == "" || time.Since(v.last) < quietFor {
		return
	}
	v.last = time.Now()
	fmt.Fprintln(v.out, progressLine(p))
}

// clear takes the line off the terminal, for what is printed next.
func (v *progressView) clear() {
	if v.drawn > 0 {
		v.draw("")
		fmt.Fprint(v.out, "\r")
	}
}

// draw writes over the line. Spaces rather than an escape sequence: every
// terminal knows them.
func (v *progressView) draw(line string) {
	width := utf8.RuneCountInString(line)
	fmt.Fprint(v.out, "\r"+line+strings.Repeat(" ", max(0, v.drawn-width)))
	v.drawn = width
}

// progressLine is a line like "3/12 publishing: create table orders".
func progressLine(p wire.Progress) string {
	text := oneLine(p.Message)
	if p.Total > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%.0f/%.0f %s", p.Progress, p.Total, text))
	}
	return text
}

// progressBar is the line with a bar before it, where the total is known.
func progressBar(p wire.Progress) string {
	const width = 20
	line := progressLine(p)
	if p.Total > 0 {
		full := int(width * min(1, max(0, p.Progress/p.Total)))
		line = "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] " + line
	}
	if utf8.RuneCountInString(line) > maxBarLine {
		line = string([]rune(line)[:maxBarLine-1]) + "…"
	}
	return line
}
