package cli

import (
	"fmt"
	"io"
	"strings"
)

// previewContext is how many unchanged lines stand around a change.
const previewContext = 3

// preview writes what changes in a file, as a diff of one hunk: what berth
// adds always lies in one place.
func preview(w io.Writer, name string, before, after []byte) {
	old, now := lines(before), lines(after)
	switch {
	case after == nil:
		fmt.Fprintf(w, "remove file %s\n", name)
	case before == nil:
		fmt.Fprintf(w, "new file %s\n", name)
	default:
		fmt.Fprintf(w, "change %s\n", name)
	}
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	show := func(mark string, list []string) {
		for _, line := range list {
			fmt.Fprintf(w, "  %s %s\n", mark, printable(line))
		}
	}
	show(" ", old[max(0, head-previewContext):head])
	show("-", old[head:len(old)-tail])
	show("+", now[head:len(now)-tail])
	show(" ", old[len(old)-tail:min(len(old), len(old)-tail+previewContext)])
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
