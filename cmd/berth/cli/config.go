package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

func newConfig(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config [DIR]",
		Short: "Show a project's settings and the file each comes from",
		Long: `Show the settings in force for the project at DIR (the working directory
unless given), each with the file and line that sets it.

The most specific file wins:
  project    DIR/.berth/config.yaml
  workspace  the nearest .berth/workspace.yaml in a directory above
  global     config.yaml in berth's directory (see BERTH_HOME)
Devdb.enableMcpServer in .vscode/settings.json, in a *.code-workspace file and
in VS Code's user settings counts as enableMcpServer of the same level.

What a project's own files may not do before you trust it waits for your trust
and is listed last: see berth trust.

A setting that a file misspells is an error that names file, line and key.
Passwords and the values of ${VARIABLES} are not shown.`,
		Example: `  berth config
  berth config --json ~/src/app`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
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
			if asJSON {
				return printJSON(a.sys.Stdout, configReport{root, s.Values(), s.Notes, s.Asks()})
			}
			return printConfig(a.sys.Stdout, root, s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	cmd.AddCommand(newConfigTrust(a))
	return cmd
}

// configReport is what berth config --json prints.
type configReport struct {
	ProjectRoot string           `json:"projectRoot"`
	Values      []settings.Value `json:"values"`
	Notes       []string         `json:"notes,omitempty"`
	Asks        []settings.Ask   `json:"asks,omitempty"` // of files that need the user's trust
}

func printConfig(w io.Writer, root string, s *settings.Settings) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KEY\tVALUE\tFROM")
	for _, v := range s.Values() {
		value := fmt.Sprint(v.Value)
		if value == "" {
			value = "-"
		}
		from := v.Place()
		if v.File != "" {
			from += " (" + string(v.Level) + ")"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", v.Key, oneLine(value), oneLine(from))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, note := range s.Notes {
		fmt.Fprintln(w, "note: "+oneLine(note))
	}
	waiting := settings.Untrusted(s.Asks())
	for _, ask := range waiting {
		fmt.Fprintf(w, "waits for your trust: %s %s\n", ask.Place(), oneLine(ask.Words))
	}
	if len(waiting) > 0 {
		fmt.Fprintln(w, "look at it and allow it with: "+oneLine(settings.TrustCommand(root)))
	}
	return nil
}
