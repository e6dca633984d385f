package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is what the toolchain stamped into the program.
type build struct {
	Version  string `json:"version"` // of the module, "devel" outside of a release
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from files that differ from the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// buildOf reads the stamp; it costs no I/O.
func buildOf() build {
	b := build{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	return fmt.Sprintf("berth %s (%s %s/%s)", b.Version, b.Go, b.OS, b.Arch)
}

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
				return printJSON(a.sys.Stdout, buildOf())
			}
			_, err := fmt.Fprintln(a.sys.Stdout, buildOf())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	return cmd
}
