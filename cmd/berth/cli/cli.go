// Package cli is berth's command line: one file a command, each built by a
// constructor, and the one place where the parts are wired together
// (wiring.go). It holds no rules of its own: what a command does beyond
// reading flags and printing belongs to the package that knows about it.
//
// Start with [Run]. Output goes to stdout, errors and logs to stderr, an
// error and what to do about it on lines of their own:
//
//	berth: nothing serves /home/ann/app
//	hint: start it with: berth serve /home/ann/app
//
// Exit codes are given in exit.go and nowhere else.
package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/spf13/cobra"
)

// Run runs one command and returns the exit code. It returns early, and
// cleanly, when ctx ends.
func Run(ctx context.Context, sys System, args []string) int {
	sys, flush := guarded(sys)
	defer flush()
	root := newRoot(&app{sys: sys})
	root.SetArgs(args)
	root.SetIn(sys.Stdin)
	root.SetOut(sys.Stdout)
	root.SetErr(sys.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	report(sys.Stderr, err)
	return exitCode(err)
}

// newRoot is the whole command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "berth",
		Short: "Every project gets a port of its own; one agent reaches them all",
		Long: `berth serves a project's databases and its schema designer to coding agents,
on a port of the project's own.

"berth serve" runs in each project, "berth mcp" is what an agent starts: it
speaks MCP on stdin and stdout and passes each call on to the project that
the call names. "berth init" tells your agent and your editor about both.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 busy (try again),
5 nothing serves the project, 130 interrupted.`,
		Example: `  berth demo                      # see it work
  berth init                      # once in each project
  berth serve                     # in the project, until Ctrl-C
  berth call get-tables           # what an agent would get
  berth ls                        # what runs where`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	// Declared here, or cobra would give it -v, which means verbose elsewhere.
	root.Flags().Bool("version", false, "the same as berth version")
	root.Version = build.Read().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, err) })
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(
		newServe(a), newMCP(a), newCall(a),
		newLs(a), newStop(a), newAttach(a), newOpen(a), newDoctor(a),
		newApprovals(a), newDiff(a), newLint(a), newVerify(a), newPublish(a), newRebase(a), newExport(a), newImport(a),
		newInit(a), newConnect(a), newNew(a), newPassword(a), newConfig(a), newTrust(a), newFiles(a), newHosts(a), newRelay(a), newTeam(a), newVersion(a),
		newUpgrade(a), newUninstall(a), newDemo(a), newMan(a),
	)
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			knowShells(cmd)
		}
	}
	return root
}

// knownCommand refuses a first word that is no command and names the nearest.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := &failure{code: exitUsage, text: "unknown command " + quote(args[0]), hint: "see berth --help"}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		err.hint = "did you mean berth " + strings.Join(near, " or berth ") + "?"
	}
	return err
}

// noArgs and upTo check the number of arguments; what they refuse is wrong
// usage.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd, fmt.Errorf("%s takes no argument, and got %s", cmd.CommandPath(), quote(args[0])))
}

func upTo(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.MaximumNArgs(n)(cmd, args)) }
}

// directories completes a DIR argument.
func directories(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}
