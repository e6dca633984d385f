package cli

import (
	"fmt"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which berth this is",
		Long: `Say which berth this is: its version, the commit it was built from, and the
Go release, system and processor it was built for.`,
		Example: `  berth version
  berth version --json`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(a.sys.Stdout, build.Read())
			}
			_, err := fmt.Fprintln(a.sys.Stdout, build.Read())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	return cmd
}
