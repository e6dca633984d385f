package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/clients"
	"github.com/berth-dev/berth/proxy"
)

func newUninstall(a *app) *cobra.Command {
	var asJSON, purge bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Say how this copy is removed, and what stays",
		Long: `Say what has to be done to remove berth from this machine: the instances to end,
the files that start it, and the command that removes this copy, which depends on
how it was installed. It changes nothing.

Removing the program leaves berth's own folder, with each project's design, its
history and the passwords that you typed. --purge removes that folder, once you
have typed the word at a terminal; what berth did not put there stays.`,
		Example: `  berth uninstall
  berth uninstall --purge`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if purge && asJSON {
				return usage(cmd, errors.New("--purge asks a person, and --json is for programs"))
			}
			if purge {
				return a.purge(cmd.Context())
			}
			report, err := a.uninstallReport(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.sys.Stdout, report)
			}
			return report.print(a.sys.Stdout)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&purge, "purge", false, "remove berth's own folder, after a question")
	return cmd
}

// uninstallReport is what berth uninstall --json prints.
type uninstallReport struct {
	thisCopy
	Running     []string `json:"running"`     // projects that are served
	ClientFiles []string `json:"clientFiles"` // berth init wrote into these
	Folder      string   `json:"folder"`      // berth's own, which stays
	Designs     int      `json:"designs"`     // projects with a state in it
}

func (a *app) uninstallReport(ctx context.Context) (r uninstallReport, err error) {
	if r.thisCopy, err = a.thisCopy(); err != nil {
		return r, err
	}
	l, err := a.link(nil)
	if err != nil {
		return r, err
	}
	defer l.close()
	projects, err := l.projects(ctx)
	if err != nil {
		return r, err
	}
	r.Running, r.ClientFiles, r.Folder = []string{}, []string{}, l.home.Dir()
	for _, p := range projects {
		if p.State == stateLive || p.State == stateNotAnswering {
			r.Running = append(r.Running, p.ProjectRoot)
		}
	}
	r.ClientFiles = append(r.ClientFiles, clients.OpenRecord(filepath.Join(r.Folder, "clients.json")).Files()...)
	states, err := filepath.Glob(filepath.Join(r.Folder, "state", "*", "state.db"))
	r.Designs = len(states)
	return r, err
}

func (r uninstallReport) print(w io.Writer) error {
	p := &printer{w: w}
	p.add("%s", r.Info)
	p.add("%s", r.installedBy())
	step := 0
	next := func(what string) {
		step++
		p.add("%d. %s", step, what)
	}
	if len(r.Running) > 0 {
		next("end what runs:")
		for _, root := range r.Running {
			p.add("     berth stop %s", proxy.ShellWord(oneLine(root)))
		}
	}
	if len(r.ClientFiles) > 0 {
		next("take berth out of the files that start it, by berth init --remove in the project, or with --user:")
		for _, file := range r.ClientFiles {
			p.add("     %s", oneLine(file))
		}
	}
	if r.Installed.Remove == "" {
		next("remove the program; nothing says how it came here")
	} else {
		next("remove the program:")
		p.add("     %s", oneLine(r.Installed.Remove))
	}
	switch {
	case !isThere(r.Folder):
		p.add("nothing else is left: %s is not there", oneLine(r.Folder))
	default:
		p.add("what stays: %s, with the designs of %s; to remove it, before the program: berth uninstall --purge", oneLine(r.Folder), countOf(r.Designs, "project"))
	}
	return p.err
}

// countOf is a number with its noun.
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
