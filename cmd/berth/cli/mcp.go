package cli

import (
	"github.com/berth-dev/berth/cmd/berth/frontend"
	"github.com/spf13/cobra"
)

func newMCP(a *app) *cobra.Command {
	var autostart, verbose bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Speak MCP on stdin and stdout and reach every served project",
		Long: `Speak MCP on stdin and stdout. This is what an agent starts; see berth init.

Each tool call names its project in projectRoot and is passed on to the
instance that "berth serve" runs there. A project that is not served is an
error that says so. With --autostart it is started, if it was served before or
a file such as .git, go.mod or package.json marks it as a project (the list is
in docs/autostart.md), and stops by itself after the setting idleTimeout, or 30
minutes without a call.

It ends with stdin, or on SIGINT or SIGTERM.`,
		Example: `  berth mcp
  berth mcp --autostart`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return frontend.Run(cmd.Context(), frontend.Options{
				Stdin: a.sys.Stdin, Stdout: raw(a.sys.Stdout), Stderr: a.sys.Stderr, // a protocol, not for people
				LookupEnv: a.sys.LookupEnv, Environ: a.sys.Environ, Executable: a.sys.Executable,
				Autostart: autostart, Verbose: verbose,
			})
		},
	}
	cmd.Flags().BoolVar(&autostart, "autostart", false, "start berth serve for a project that is not served")
	verboseFlag(cmd, &verbose)
	return cmd
}
