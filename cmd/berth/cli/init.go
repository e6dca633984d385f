package cli

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/clients"
)

type initFlags struct {
	yes     bool // write without asking
	print   bool // write nothing
	remove  bool // take out instead of putting in
	user    bool // the user's files instead of the project's
	json    bool
	clients []string
	without []string // clients that are left out
}

func newInit(a *app) *cobra.Command {
	var flags initFlags
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Tell your agents and your editor about berth",
		Long: `Register "berth mcp" with the programs that start MCP servers: in the files of
the project at DIR (the working directory unless given), or with --user in your
own, for all projects. VS Code gets a task too that runs "berth serve" while the
folder is open.

` + clientTable() + `
Those that are found on this machine or in the project are chosen; at a terminal
you are asked which, --client names them and --without leaves some out.
Windsurf and Claude Desktop read your own file alone, which is written if you
name them or with --user. For JetBrains, which has a dialog, the text to paste
is printed.

What stands in a file stays as it is, comments and formatting included. An entry
that starts this berth is left alone, one whose program is gone is mended. A
file that its program could not read is refused, and then none is written.
--remove takes out what was put in, and nothing else.

What would change is shown first; at a terminal you are asked. Without a
terminal nothing is written unless --yes says so.`,
		Example: `  berth init                               # choose, show, ask, write
  berth init --client codex,gemini --yes   # in a script
  berth init --without vscode              # all others that are found
  berth init --user                        # for all your projects
  berth init --remove                      # take it out again
  berth init --print ~/app                 # show only`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(args); err != nil {
				return usage(cmd, err)
			}
			s, err := a.setUp(flags, args)
			if err != nil {
				return err
			}
			return s.run()
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&flags.yes, "yes", "y", false, "write without asking")
	f.BoolVar(&flags.print, "print", false, "show what would be written, and write nothing")
	f.BoolVar(&flags.remove, "remove", false, "take out what was put in")
	f.BoolVar(&flags.user, "user", false, "your own files, for all projects")
	f.BoolVar(&flags.json, "json", false, "print what is done as JSON; needs --yes or --print")
	f.StringSliceVar(&flags.clients, "client", nil, "the clients, separated by commas, or all")
	f.StringSliceVar(&flags.without, "without", nil, "clients to leave out, separated by commas")
	for name, more := range map[string][]string{"client": {"all"}, "without": nil} {
		_ = cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return append(clients.IDs(), more...), cobra.ShellCompDirectiveNoFileComp
		})
	}
	return cmd
}

// check refuses flags that say two things.
func (f initFlags) check(args []string) error {
	switch {
	case f.yes && f.print:
		return errors.New("--yes and --print exclude each other")
	case f.user && len(args) > 0:
		return errors.New("--user is for all projects, and DIR names one")
	case f.json && !f.yes && !f.print:
		return errors.New("--json asks no questions: give --yes or --print with it")
	}
	for i, id := range slices.Concat(f.clients, f.without) {
		if all := id == "all" && i < len(f.clients); !all && clients.ByID(id) == nil {
			return errors.New("unknown client " + quote(id) + "; there are " + strings.Join(clients.IDs(), ", "))
		}
	}
	return nil
}

// clientTable lists the clients and their files for the help, as they are on
// Linux without variables of the user's.
func clientTable() string {
	m := clients.Machine{GOOS: "linux", Home: "~", Getenv: func(string) string { return "" }}
	var b strings.Builder
	for _, c := range clients.All() {
		var files []string
		for _, scope := range []clients.Scope{clients.Project, clients.User} {
			for _, t := range c.Targets(m, scope, "") {
				files = append(files, cmp.Or(t.Shown, t.Path))
			}
		}
		if c.Paste != "" {
			files = []string{"a dialog"}
		}
		b.WriteString("  " + c.ID + strings.Repeat(" ", 16-len(c.ID)) + strings.Join(files, ", ") + "\n")
	}
	return b.String()
}

// A setup is one run of berth init.
type setup struct {
	*app
	flags   initFlags
	root    string // empty: --user
	machine clients.Machine
	berth   clients.Berth
	record  *clients.Record
	person  terminal
	report  initReport
}

// setUp collects what the run needs. It writes nothing.
func (a *app) setUp(flags initFlags, args []string) (*setup, error) {
	s := &setup{app: a, flags: flags, person: terminal{in: a.sys.Stdin, out: a.sys.Stderr}}
	var err error
	if !flags.user {
		if s.root, err = a.root(args); err != nil {
			return nil, err
		}
	}
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	s.record = clients.OpenRecord(filepath.Join(home.Dir(), "clients.json"))
	if s.machine, err = clients.ThisMachine(a.sys.getenv); err != nil {
		return nil, err
	}
	s.berth, err = a.thisBerth()
	return s, err
}

// thisBerth is the program that runs, which must lie where it stays.
func (a *app) thisBerth() (clients.Berth, error) {
	executable, err := a.sys.Executable()
	if err != nil {
		return clients.Berth{}, err
	}
	return clients.ThisBerth(executable), nil
}

// scope is the scope in which a client is registered by this run.
func (s *setup) scope(c *clients.Client) clients.Scope {
	if s.flags.user || !c.Has(s.machine, clients.Project) {
		return clients.User
	}
	return clients.Project
}

func (s *setup) run() error {
	chosen, err := s.choose()
	if err != nil {
		return err
	}
	if strings.Contains(s.berth.Program(), string(filepath.Separator)+"go-build") && !s.flags.remove {
		return &failure{code: exitRefused, text: "this berth was built by go run and is gone when it ends: nothing was written",
			hint: "install it first with: go install ./cmd/berth"}
	}
	changes, err := s.plan(chosen)
	if err != nil {
		return err
	}
	s.show(changes)
	if len(changes) > 0 && !s.flags.print {
		if err := s.confirm(); err != nil {
			return err
		}
		if err := clients.Write(changes, s.record); err != nil {
			return s.explain(err)
		}
	}
	return s.finish(chosen, changes)
}

// confirm asks, unless the flags have answered.
func (s *setup) confirm() error {
	if s.flags.yes {
		return nil
	}
	if !s.person.present() {
		return &failure{code: exitUsage, text: "nothing is written without a terminal to ask on", hint: "write with: berth init --yes"}
	}
	if !s.person.confirm("Write?") {
		return &failure{code: exitRefused, text: "nothing written"}
	}
	return nil
}

// plan works every file out before any is written.
func (s *setup) plan(chosen []*clients.Client) ([]*clients.Change, error) {
	var changes []*clients.Change
	for _, c := range chosen {
		for _, t := range c.Targets(s.machine, s.scope(c), s.root) {
			change, err := s.planFile(t)
			if err != nil {
				return nil, s.explain(err)
			}
			if change != nil {
				changes = append(changes, change)
			}
		}
	}
	return changes, nil
}

func (s *setup) planFile(t *clients.Target) (*clients.Change, error) {
	if s.flags.remove {
		change, err := t.Remove(s.record)
		if err == nil && change == nil {
			s.note(t, "absent", "%s has no entry of berth", t.Shown)
		}
		return change, err
	}
	change, state, err := t.Add(s.berth)
	switch {
	case err != nil || change != nil:
	case state == clients.Other:
		s.note(t, "other", "%s starts another berth, which is left; to change that: berth init --remove, then berth init", t.Shown)
	default:
		s.note(t, "present", "%s has berth already", t.Shown)
	}
	return change, err
}

// explain adds what to do to an error of a file.
func (s *setup) explain(err error) error {
	var changed *clients.ChangedError
	var file *clients.FileError
	var foreign *clients.ForeignError
	switch {
	case errors.As(err, &changed):
		return &failure{code: exitBusy, cause: err, hint: "run berth init again"}
	case errors.As(err, &foreign):
		return &failure{cause: err, hint: "nothing was written; " + foreign.Hint()}
	case errors.As(err, &file):
		return &failure{cause: err, hint: "nothing was written; " + cmp.Or(file.Hint(), "mend the file and run berth init again")}
	default:
		return err
	}
}

// both reports whether Claude Code and VS Code read a file of this project. VS
// Code that is left out has its server from elsewhere.
func (s *setup) both(chosen []*clients.Client) bool {
	has := func(id string) bool {
		return slices.ContainsFunc(chosen, func(c *clients.Client) bool { return c.ID == id })
	}
	return has("claude-code") && (has("vscode") || slices.Contains(s.flags.without, "vscode"))
}
