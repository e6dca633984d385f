package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/passwords"
)

func newPassword(a *app) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "password NAME [DIR]",
		Short: "Print the password that berth connect was given, for berth itself",
		Long: `Print the password that you typed at berth connect for the connection NAME of
the project at DIR (the working directory unless given). It is what stands as
passwordCommand in .berth/config.yaml, and is printed to a program alone, never
to a terminal. The passwords are in berth's own folder, in a file that only you
can read. --remove forgets one.`,
		Example: `  berth password main --remove`,
		Args:    func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 2)(cmd, args)) },
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := a.home()
			if err != nil {
				return err
			}
			root, err := a.root(args[1:])
			if err != nil {
				return err
			}
			again := "type it at: berth connect ADDRESS --name " + args[0]
			if remove {
				was, err := passwords.Remove(home, root, args[0])
				if err == nil && !was {
					err = &failure{text: "no password of " + quote(args[0]) + " is kept for " + root}
				}
				if err == nil {
					_, err = fmt.Fprintf(a.sys.Stdout, "forgot the password of %s\n", args[0])
				}
				return err
			}
			if isTerminal(a.sys.Stdout) {
				return &failure{code: exitRefused, text: "a password is not shown at a terminal", hint: again}
			}
			password, ok, err := passwords.Read(home, root, args[0])
			if err != nil {
				return err
			}
			if !ok {
				return &failure{text: "no password of " + quote(args[0]) + " is kept for " + root, hint: again}
			}
			_, err = io.WriteString(exact(a.sys.Stdout), password+"\n")
			return err
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "forget it")
	return cmd
}
