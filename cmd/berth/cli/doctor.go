package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func newDoctor(a *app) *cobra.Command {
	var fix, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [DIR]",
		Short: "Check berth's files, what runs, and a project's connections",
		Long: `Check berth's own directory, the port map and its lock, every entry of the map
and what crashed instances left behind; then the project at DIR (the working
directory unless given): its state, its designs' files, its settings, and each
connection with where it is defined, its dialect, whether it can be read, what
its login may do beyond that, and the scratch databases on its server. Of the
clients' files that name berth it says what they start; an entry that starts
this program is started, and its tools are listed.

--fix removes the entries of instances that are gone, moves the project's state
aside if it is damaged, which keeps it, and says so for each. The exit code is
1 if a problem remains.`,
		Example: `  berth doctor
  berth doctor --fix`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.doctor(cmd.Context(), args, fix, asJSON)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "remove the entries of instances that are gone, move a damaged state aside")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// An examination prints findings as they come and counts what is wrong.
type examination struct {
	out      io.Writer // nil: the findings are only kept
	problems int
	findings []finding
}

// finding is one line, as doctor --json has it.
type finding struct {
	Kind string `json:"kind"` // ok, note, problem, fixed
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

func (e *examination) ok(format string, args ...any) { e.say("ok", format, args...) }

func (e *examination) fixed(format string, args ...any) { e.say("fixed", format, args...) }

// note reports what is worth knowing and no problem.
func (e *examination) note(format string, args ...any) { e.say("note", format, args...) }

// problem reports what is wrong and what to do about it.
func (e *examination) problem(hint, format string, args ...any) {
	e.problems++
	e.say("problem", format, args...)
	if hint == "" {
		return
	}
	e.findings[len(e.findings)-1].Hint = hint
	if e.out != nil {
		fmt.Fprintf(e.out, "%-8s %s\n", "", "hint: "+oneLine(hint))
	}
}

// more adds lines to the hint of the problem that was reported last.
func (e *examination) more(lines []string) {
	last := &e.findings[len(e.findings)-1]
	for _, line := range lines {
		last.Hint += "\n" + line
		if e.out != nil {
			fmt.Fprintf(e.out, "%-8s %s\n", "", oneLine(line))
		}
	}
}

func (e *examination) say(mark, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e.findings = append(e.findings, finding{Kind: mark, Text: text})
	if e.out != nil {
		fmt.Fprintf(e.out, "%-8s %s\n", mark, oneLine(text))
	}
}

// doctor runs every check; one that fails keeps no other from running.
func (a *app) doctor(ctx context.Context, args []string, fix, asJSON bool) error {
	root, err := a.root(args)
	if err != nil {
		return err
	}
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	e := &examination{out: a.sys.Stdout}
	if asJSON {
		e.out = nil
	}
	l.examineHome(e)
	examinePeers(e)
	l.examineMap(ctx, e)
	l.examineEntries(ctx, e, fix)
	l.examineLeftovers(ctx, e)
	l.examineState(e, root, fix)
	l.examineCopies(e)
	l.examineDesigns(ctx, e, root)
	examineRemains(ctx, e, root)
	a.examineClients(ctx, e, root)
	a.examineProject(ctx, e, l.home, root)
	if asJSON {
		if err := printJSON(a.sys.Stdout, map[string]any{"projectRoot": root, "problems": e.problems, "findings": e.findings}); err != nil {
			return err
		}
	}
	if e.problems > 0 {
		return errSilent
	}
	return nil
}
