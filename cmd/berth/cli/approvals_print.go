package cli

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/approval"
)

// printApprovals prints what waits for a person, and what they allowed that
// is not used yet.
func (a *app) printApprovals(list []approval.Entry) error {
	waiting := 0
	for _, e := range list {
		switch e.State {
		case approval.Pending:
			waiting++
		case approval.Approved:
		default:
			continue
		}
		if err := a.printApproval(e); err != nil {
			return err
		}
	}
	var err error
	switch waiting {
	case 0:
		_, err = fmt.Fprintln(a.sys.Stdout, "nothing waits for an approval")
	default:
		_, err = fmt.Fprintln(a.sys.Stdout, "decide with: berth approvals --approve ID, or --reject ID")
	}
	return err
}

// printApproval prints one plan: whose it is, what it is about, all of it.
func (a *app) printApproval(e approval.Entry) error {
	out := &strings.Builder{}
	paint := a.painter()
	by := ""
	if e.Client != "" {
		by = ", asked for by a client that calls itself " + printable(e.Client)
	}
	fmt.Fprintf(out, "plan %s: %s, until %s%s\n", printable(e.ID), printable(string(e.State)), clock(e.Expires), by)
	fmt.Fprintln(out, paint(bold, printable(e.Title)))
	for line := range strings.Lines(e.Detail) {
		line = printable(strings.TrimSuffix(line, "\n"))
		fmt.Fprintln(out, "  "+paint(colourOf(e.Format, line), line))
	}
	if e.Cut {
		fmt.Fprintln(out, "  … there is more: this is not all of it, so it cannot be approved")
	}
	_, err := fmt.Fprintln(raw(a.sys.Stdout), out.String()) // for its colours; the parts are printable
	return err
}

// The colours, as terminals take them.
const (
	plain = ""
	bold  = "1"
	red   = "31"
	green = "32"
	cyan  = "36"
)

// colourOf a line of a plan. SQL is one colour: what stands out in it is not
// ours to say.
func colourOf(format approval.Format, line string) string {
	switch {
	case format == approval.FormatSQL:
		return cyan
	case format != approval.FormatDiff:
		return plain
	case strings.HasPrefix(line, "@@"):
		return cyan
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return plain
}

// painter colours text where stdout is a terminal and NO_COLOR is not set.
func (a *app) painter() func(colour, text string) string {
	if !isTerminal(a.sys.Stdout) || a.sys.getenv("NO_COLOR") != "" {
		return func(_, text string) string { return text }
	}
	return func(colour, text string) string {
		if colour == plain {
			return text
		}
		return "\x1b[" + colour + "m" + text + "\x1b[0m"
	}
}
