package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/connections"
)

// isPlace reports whether an argument is a DIR where a CONNECTION could stand
// too: it is written as a path and is no file, whose path may be the name of a
// SQLite connection.
func (a *app) isPlace(arg string) bool {
	slashed := filepath.ToSlash(arg)
	if arg == "." || arg == ".." || filepath.IsAbs(arg) || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") {
		return true
	}
	dir, err := a.dir([]string{arg})
	if err != nil || !strings.Contains(slashed, "/") {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// places splits the arguments of a command that takes a CONNECTION and a DIR,
// in either order.
func (a *app) places(cmd *cobra.Command, args []string) (connection string, dir []string, err error) {
	for _, arg := range args {
		switch {
		case a.isPlace(arg) && dir == nil:
			dir = []string{arg}
		case !a.isPlace(arg) && connection == "":
			connection = arg
		default:
			return "", nil, usage(cmd, errors.New("there is one CONNECTION and one DIR, which is written as a path, as in ./app"))
		}
	}
	return connection, dir, nil
}

// connectionNames completes a CONNECTION with those that the project's files
// name. It asks no server: a shell waits for it.
func (a *app) connectionNames(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	connection, dir, err := a.places(cmd, args)
	if err != nil || connection != "" {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return a.connectionsOf(cmd.Context(), dir), cobra.ShellCompDirectiveDefault
}

func (a *app) connectionsOf(ctx context.Context, dir []string) []cobra.Completion {
	home, err := a.home()
	if err != nil {
		return nil
	}
	root, err := a.root(dir)
	if err != nil {
		return nil
	}
	set, err := a.settings(home, root)
	if err != nil {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	var names []cobra.Completion
	for _, c := range connections.Options(set, connections.NewFinder(root).Find(ctx, set)).Connections {
		names = append(names, c.Name)
	}
	return names
}

// afterFirst completes the first argument with fixed words, or files if there
// are none, and the rest with connections.
func (a *app) afterFirst(words []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return a.connectionNames(cmd, args[1:], text)
		}
		if words == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWith completes a flag's value with fixed words.
func completeWith(cmd *cobra.Command, flag string, words ...cobra.Completion) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
}
