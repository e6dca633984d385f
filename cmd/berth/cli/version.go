package cli

import (
	"fmt"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/installed"
	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which berth this is",
		Long: `Say which berth this is: its version, the commit it was built from, the Go
release, system and processor it was built for, and how it was installed.`,
		Example: `  berth version
  berth version --json`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			this, err := a.thisCopy()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.sys.Stdout, this)
			}
			_, err = fmt.Fprintf(a.sys.Stdout, "%s\n%s\n", this.Info, this.installedBy())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	return cmd
}

// thisCopy is what berth version --json prints.
type thisCopy struct {
	build.Info
	Installed installed.Copy `json:"installed"`
}

// thisCopy is the berth that runs.
func (a *app) thisCopy() (thisCopy, error) {
	program, err := a.sys.Executable()
	if err != nil {
		return thisCopy{}, fmt.Errorf("find this program: %w", err)
	}
	b := build.Read()
	return thisCopy{b, installed.Find(program, b)}, nil
}

// installedBy says it in a line.
func (c thisCopy) installedBy() string {
	return fmt.Sprintf("installed by %s: %s", c.Installed.Words, oneLine(c.Installed.Program))
}
