package cli

import (
	"fmt"

	"github.com/berth-dev/berth/cmd/berth/clients"
)

// initReport is what berth init --json prints.
type initReport struct {
	Written bool            `json:"written"` // false: only shown, or there was nothing to do
	Files   []initFileState `json:"files"`
	Notes   []string        `json:"notes"`
}

// initFileState is one file: created, changed, removed, present, absent, other.
type initFileState struct {
	Client string        `json:"client"`
	Scope  clients.Scope `json:"scope"`
	Path   string        `json:"path"`
	State  string        `json:"state"`
}

// say prints a line, unless the report is all that is printed.
func (s *setup) say(format string, args ...any) {
	if !s.flags.json {
		fmt.Fprintf(s.sys.Stdout, "%s\n", oneLine(fmt.Sprintf(format, args...)))
	}
}

// note reports a file that stays as it is.
func (s *setup) note(t *clients.Target, state, format string, args ...any) {
	s.add(t, state)
	s.say(format, args...)
}

func (s *setup) add(t *clients.Target, state string) {
	s.report.Files = append(s.report.Files, initFileState{t.Client.ID, t.Scope, t.Path, state})
}

// advise prints a line and keeps it for the report.
func (s *setup) advise(format string, args ...any) {
	s.report.Notes = append(s.report.Notes, fmt.Sprintf(format, args...))
	s.say("note: "+format, args...)
}

// show prints what would change.
func (s *setup) show(changes []*clients.Change) {
	for _, c := range changes {
		state := "changed"
		switch {
		case c.After == nil:
			state = "removed"
		case c.Before == nil:
			state = "created"
		}
		s.add(c.Target, state)
		if !s.flags.json {
			preview(s.sys.Stdout, c.Shown, c.Before, c.After)
		}
	}
}

// finish says what was done and what is left to a person.
func (s *setup) finish(chosen []*clients.Client, changes []*clients.Change) error {
	s.report.Written = len(changes) > 0 && !s.flags.print
	if s.report.Written {
		for _, c := range changes {
			switch {
			case c.After == nil:
				s.say("removed %s", c.Shown)
			case s.flags.remove:
				s.say("took berth out of %s", c.Shown)
			default:
				s.say("wrote %s: %s", c.Shown, c.Purpose)
			}
		}
	}
	if !s.flags.remove {
		s.adviseAll(chosen, changes)
	}
	if !s.flags.json {
		return nil
	}
	if s.report.Files == nil {
		s.report.Files = []initFileState{}
	}
	if s.report.Notes == nil {
		s.report.Notes = []string{}
	}
	return printJSON(s.sys.Stdout, s.report)
}

func (s *setup) adviseAll(chosen []*clients.Client, changes []*clients.Change) {
	if len(changes) > 0 && !s.berth.OnPath() {
		s.advise("berth is not on PATH, so the entries name %s; a program of the desktop may know another PATH", s.berth.Program())
	}
	for _, c := range chosen {
		if c.Paste != "" {
			s.advise("%s: paste this at %s: %s", c.Name, c.Paste, clients.PasteText(s.berth.Entry(c)))
		}
	}
	for _, c := range chosen {
		if after := c.After[s.scope(c)]; after != "" && len(changes) > 0 {
			s.advise("%s", after)
		}
	}
	if s.both(chosen) && !s.flags.user {
		s.advise("VS Code reads .mcp.json too and lists a second berth from it: leave that one disabled, or take Claude Code's " +
			"entry into your own file: berth init --remove --client claude-code, then berth init --user --client claude-code")
	}
}
