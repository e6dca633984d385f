package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/portmap"
)

type trustFlags struct {
	list   bool
	json   bool
	revoke bool
}

func newTrust(a *app) *cobra.Command {
	var flags trustFlags
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Look at what a project's own files ask of you, and allow it",
		Long: `Show, in words, what the files of the project at DIR (the working directory
unless given) and of the folders above it ask of you, and allow it after you
typed the word trust.

A project may be a stranger's: one that you cloned, or one whose files an agent
edits. Without your trust its files may name databases in the project, and
servers of this machine that are signed in to with nothing from outside of the
file. What they ask beyond that is left out until you trust it, and the rest
works:

  your environment's variables, and commands, for a connection
  another machine, a database file or certificate outside of the project
  your user account of this system, and what drivers know (~/.pgpass)
  rights: allowWrites, files.mode, files.secrets, files.store,
  publish.unattended

Trust is for each line as it is: one that changes is asked about again. What a
command that you trust calls, a script in the project for one, is not looked
into. Your own config.yaml needs no trust, and its setting trust answers where
nobody can type: trust: all in a container, or a list of folders.

An instance that serves the project hears of what you answer here within
seconds, and of what you answer at its page or in an editor at once.`,
		Example: `  berth trust
  berth trust --list ~/src/app   # look only
  berth trust --revoke           # take all of it back`,
		Args: upTo(1), ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error { return a.trustCommand(cmd, args, flags) },
	}
	cmd.Flags().BoolVar(&flags.list, "list", false, "show what is asked, trusted or not, and ask nothing")
	cmd.Flags().BoolVar(&flags.json, "json", false, "the same as one line of JSON")
	cmd.Flags().BoolVar(&flags.revoke, "revoke", false, "take back all that was trusted of the project")
	return cmd
}

// newConfigTrust is the name that berth trust had.
func newConfigTrust(a *app) *cobra.Command {
	cmd := newTrust(a)
	cmd.Deprecated, cmd.Hidden = "it is berth trust now", true
	return cmd
}

func (a *app) trustCommand(cmd *cobra.Command, args []string, flags trustFlags) error {
	if flags.revoke && (flags.list || flags.json) {
		return usage(cmd, errors.New("--revoke changes what --list and --json show: give one"))
	}
	home, err := a.home()
	if err != nil {
		return err
	}
	root, err := a.root(args)
	if err != nil {
		return err
	}
	if flags.revoke {
		return a.revoke(home, root)
	}
	asks, err := a.asks(cmd.Context(), home, root)
	switch {
	case err != nil:
		return err
	case flags.json:
		return printJSON(a.sys.Stdout, trust.NewReport(root, asks))
	}
	a.printAsks(asks)
	if _, err := trust.Read(home, root); err != nil {
		fmt.Fprintln(a.sys.Stderr, "note: "+oneLine(err.Error())+"; nothing of it counts")
	}
	if waiting := settings.Untrusted(asks); len(waiting) > 0 && !flags.list {
		return a.trust(home, root, asks, waiting)
	}
	return nil
}

// asks lists what a project's own files ask, those of other programs too.
func (a *app) asks(ctx context.Context, home portmap.Home, root string) ([]settings.Ask, error) {
	s, err := a.settings(home, root)
	if err != nil {
		return nil, err
	}
	return connections.NewFinder(root).Find(ctx, s).Asks, nil
}

// printAsks shows asks, those that wait last.
func (a *app) printAsks(asks []settings.Ask) {
	waiting := settings.Untrusted(asks)
	if trusted := len(asks) - len(waiting); trusted > 0 {
		fmt.Fprintln(a.sys.Stdout, "You trust:")
		for _, ask := range asks {
			if ask.Trusted {
				a.printAsk(ask)
			}
		}
	}
	if len(waiting) == 0 {
		fmt.Fprintln(a.sys.Stdout, "nothing waits for your trust")
		return
	}
	fmt.Fprintln(a.sys.Stdout, "These wait for your trust. Each line, once trusted:")
	for _, ask := range waiting {
		a.printAsk(ask)
	}
}

func (a *app) printAsk(ask settings.Ask) {
	fmt.Fprintf(a.sys.Stdout, "  %s\n", printable(oneLine(ask.Words)))
	if ask.Detail() != "" {
		fmt.Fprintf(a.sys.Stdout, "      %s\n", printable(oneLine(ask.Detail())))
	}
	fmt.Fprintf(a.sys.Stdout, "      %s\n", ask.Place())
}

// trust has the person at the terminal allow what waits.
func (a *app) trust(home portmap.Home, root string, present, waiting []settings.Ask) error {
	if _, err := os.Stat(filepath.Join(home.Dir(), "trusted")); err == nil {
		fmt.Fprintln(a.sys.Stderr, "note: what berth config trust recorded is asked about again here, once")
	}
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	if !person.present() {
		return &failure{code: exitRefused, text: "a person has to trust this at a terminal",
			hint: "run " + settings.TrustCommand(root) + " where you can type; where nobody can, write trust: all, or trust: [" + root + "], into " + home.ConfigFile()}
	}
	fmt.Fprint(a.sys.Stderr, "Type trust to allow all of these: ")
	answer, _ := bufio.NewReader(a.sys.Stdin).ReadString('\n')
	if strings.TrimSpace(answer) != "trust" {
		return errDeclined
	}
	if err := trust.Add(home, root, present, waiting); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.sys.Stdout, "trusted %d %s of %s\n", len(waiting), plural(len(waiting), "line", "lines"), root)
	return err
}

// revoke takes the trust in a project back. It takes no terminal: it only
// ever takes rights away.
func (a *app) revoke(home portmap.Home, root string) error {
	was, err := trust.Revoke(home, root)
	if err != nil {
		return err
	}
	said := "nothing of " + root + " was trusted"
	if was {
		said = "nothing of " + root + " is trusted any more"
	}
	if s, err := a.settings(home, root); err == nil && s.TrustsAll() {
		said += ", but your own settings trust all of it (trust, in " + home.ConfigFile() + ")"
	}
	_, err = fmt.Fprintln(a.sys.Stdout, said)
	return err
}
