package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/tools/catalog"
)

// knowShells has cobra's own command refuse a shell it has no script for: it
// would print its help and exit 0, which a shell's start-up file then runs.
func knowShells(completion *cobra.Command) {
	completion.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var shells []string
		for _, shell := range cmd.Commands() {
			shells = append(shells, shell.Name())
		}
		return &failure{code: exitUsage, text: "no completions for the shell " + quote(args[0]),
			hint: "there are " + strings.Join(shells, ", ")}
	}
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// runningProjects completes a DIR argument with the projects of the port map,
// and directories besides. It asks no instance: a shell waits for it.
func (a *app) runningProjects(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	l, err := a.link(nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	entries, err := l.store.Entries()
	if err != nil || len(entries) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var list []cobra.Completion
	for root := range entries {
		list = append(list, root)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// toolNames completes the name of a tool.
func toolNames(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []cobra.Completion
	for _, d := range catalog.All() {
		list = append(list, cobra.CompletionWithDesc(d.Name, d.Title))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
