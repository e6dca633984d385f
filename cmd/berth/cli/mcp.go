package cli

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/logfile"
	"github.com/berth-dev/berth/proxy"
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
			return a.mcp(cmd.Context(), autostart, verbose)
		},
	}
	cmd.Flags().BoolVar(&autostart, "autostart", false, "start berth serve for a project that is not served")
	verboseFlag(cmd, &verbose)
	return cmd
}

// mcp serves until stdin ends. It reads nothing from disk before the first
// call, since agents give a server little time to start.
func (a *app) mcp(ctx context.Context, autostart, verbose bool) error {
	debug.SetGCPercent(proxy.GCPercent)
	askForShortTurns()
	home, err := a.home()
	if err != nil {
		return err
	}
	file := logfile.New(home.LogFile())
	defer file.Close()
	log := newLogger(a.sys.Stderr, file, verbose)
	opts := linkOptions{logger: log}
	if autostart {
		opts.autostart = a.starter(home)
	}
	l, err := a.link(opts)
	if err != nil {
		return err
	}
	defer l.close()
	return a.serveMCP(ctx, l, log)
}

// serveMCP hands stdin and stdout to the MCP server.
func (a *app) serveMCP(ctx context.Context, l *link, log *slog.Logger) error {
	server := proxy.NewServer(l.client, proxy.ServerOptions{Version: buildOf().Version, Logger: log})
	return server.Run(ctx, a.sys.Stdin, raw(a.sys.Stdout)) // a protocol, not for people
}
