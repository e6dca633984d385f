package cli

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/berth-dev/berth/tools/visible"
)

// Everything that a command prints goes through a [visible.Writer], which [Run]
// puts in front of stdout and stderr: names, paths and messages come from
// outside, and a terminal obeys what it is sent. What has to pass it as it is
// asks for raw here.

// guarded is sys with everything hidden written out on stdout and stderr.
// flush ends both.
func guarded(sys System) (_ System, flush func()) {
	out, errs := &visible.Writer{To: sys.Stdout}, &visible.Writer{To: sys.Stderr}
	sys.Stdout, sys.Stderr = out, errs
	return sys, func() {
		_ = out.Flush() // the output is closed; the exit code has said it
		_ = errs.Flush()
	}
}

// raw is what lies under a guarded stream.
func raw(w io.Writer) io.Writer {
	if guard, ok := w.(*visible.Writer); ok {
		return guard.To
	}
	return w
}

// exact is a stream for what programs read: in a pipe or a file, as it is.
func exact(w io.Writer) io.Writer {
	if isTerminal(w) {
		return w
	}
	return raw(w)
}

// printExact prints text that programs read. On a terminal JSON stays JSON.
func printExact(w io.Writer, text string) error {
	if isTerminal(w) && json.Valid([]byte(text)) {
		text = string(visible.JSON([]byte(text)))
	}
	_, err := io.WriteString(exact(w), text+"\n")
	return err
}

// printJSON prints v on a line, with everything hidden escaped: the value is
// the same to a program, and a terminal that sees it does nothing.
func printJSON(w io.Writer, v any) error {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(visible.JSON([]byte(text.String())))
	return err
}

// printable is a line of text from outside with its tabs.
func printable(line string) string {
	return strings.ReplaceAll(visible.Text(line), "\n", `\u{a}`)
}

// oneLine keeps a message on its line whatever a path or a server put in it.
func oneLine(s string) string { return visible.SingleLine(s) }
