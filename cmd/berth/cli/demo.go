package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/demo"
)

func newDemo(a *app) *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play the main job on sample projects",
		Long: `Play the main job on sample projects: two projects with SQLite databases, an
instance of berth for each, one front-end, an agent on its stdio and a person
at the page, all as real processes. The story says what each reply cost the
agent, beside a reply that carries the whole schema.

Everything lives in a temporary folder and goes when the story ends. With
--keep the instances stay, and the demo says where.`,
		Example: `  berth demo
  berth demo --keep`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			exe, err := a.sys.Executable()
			if err != nil {
				return fmt.Errorf("find this program: %w", err)
			}
			return demo.Run(cmd.Context(), demo.Options{Exe: exe, Out: a.sys.Stdout, Env: a.sys.Environ(), Keep: keep})
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the instances running and say where they are")
	return cmd
}
