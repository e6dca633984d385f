package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/tools/settings"
)

func newTrust(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Let the password commands of a project's own files run",
		Long: `Show each passwordCommand that a file of the project at DIR (the working
directory unless given) names and that may not run yet, and let them run after
you typed the word trust. A repository that you cloned could name any command,
so none runs before that. Those of your own config.yaml always run.

Trust is for one command of one connection of one project: where the file
changes the command, or where the password goes, you are asked again. What the
command itself calls, a script in the project for one, is not looked into.`,
		Example: `  berth config trust`,
		Args:    upTo(1), ValidArgsFunction: directories,
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := a.home()
			if err != nil {
				return err
			}
			root, err := a.root(args)
			if err != nil {
				return err
			}
			s, err := a.settings(home, root)
			if err != nil {
				return err
			}
			return a.trust(home, s.Untrusted())
		},
	}
}

func (a *app) trust(home portmap.Home, commands []settings.Command) error {
	if len(commands) == 0 {
		_, err := fmt.Fprintln(a.sys.Stdout, "no password command waits for your trust")
		return err
	}
	for _, c := range commands {
		// Quoted: nothing in it can pass for something else.
		fmt.Fprintf(a.sys.Stderr, "connection %s (%s:%d)\n  runs        %s\n  in          %s\n  to sign in  %s\n", c.Connection,
			oneLine(c.File), c.Line, strconv.Quote(c.Text), oneLine(c.Dir), strconv.Quote(c.To))
	}
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	if !person.present() {
		return &failure{code: exitRefused, text: "a person has to trust them at a terminal", hint: "run berth config trust where you can type"}
	}
	fmt.Fprint(a.sys.Stderr, "Type trust to let them run: ")
	answer, _ := bufio.NewReader(a.sys.Stdin).ReadString('\n')
	if strings.TrimSpace(answer) != "trust" {
		return errDeclined
	}
	for _, c := range commands {
		if err := recordTrust(home, c); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.sys.Stdout, "trusted %d %s\n", len(commands), plural(len(commands), "command", "commands"))
	return err
}

// trustFile is the file that is there where a command is trusted. To take
// trust back, remove it.
func trustFile(home portmap.Home, fingerprint string) string {
	return filepath.Join(home.Dir(), "trusted", fingerprint)
}

func isTrusted(home portmap.Home, fingerprint string) bool {
	info, err := os.Stat(trustFile(home, fingerprint))
	return err == nil && info.Mode().IsRegular()
}

// recordTrust keeps that a command is trusted, and for people where it stands.
func recordTrust(home portmap.Home, c settings.Command) error {
	path := trustFile(home, c.Fingerprint)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(oneLine("connection "+c.Connection+" of "+c.File)+"\n"), 0o600)
	}
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}
