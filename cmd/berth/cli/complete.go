package cli

import (
	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/tools/catalog"
)

// runningProjects completes a DIR argument with the projects of the port map,
// and directories besides. It asks no instance: a shell waits for it.
func (a *app) runningProjects(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	l, err := a.link(linkOptions{})
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
