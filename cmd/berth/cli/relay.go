package cli

import (
	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/frontend"
)

func newRelay(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "relay",
		Short: "Serve the berth of another machine on stdin and stdout",
		Long: `Serve the berth of another machine on stdin and stdout: what the command of a
host runs there; see berth hosts. It looks up this machine's projects, has each
prove that it is the one, and calls it with the token that it finds here. No
token, port or file of this machine leaves it.

It ends with stdin.`,
		Example:           `  ssh -T build1 berth relay     # what berth mcp starts for the host build1`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return frontend.Relay(cmd.Context(), frontend.Options{
				Stdin: a.sys.Stdin, Stdout: raw(a.sys.Stdout), Stderr: a.sys.Stderr,
				LookupEnv: a.sys.LookupEnv, Environ: a.sys.Environ, Executable: a.sys.Executable,
			}, isTerminal(a.sys.Stdin) || isTerminal(a.sys.Stdout))
		},
	}
}
