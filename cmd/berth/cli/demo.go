package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/demo"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
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
			return demo.Run(cmd.Context(), demo.Options{Exe: exe, Out: a.sys.Stdout, Env: a.sys.Environ(), Keep: keep, SignInURL: signInURL})
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the instances running and say where they are")
	return cmd
}

// signInURL signs the story's person in, in the story's own home. Nobody's
// project is reached with it.
func signInURL(ctx context.Context, env []string, root string) (string, error) {
	home, err := portmap.FindHome(func(name string) string {
		value := ""
		for _, v := range env {
			if text, ok := strings.CutPrefix(v, name+"="); ok {
				value = text // the last one counts, as in a process
			}
		}
		return value
	})
	if err != nil {
		return "", err
	}
	client := proxy.NewClient(proxy.Options{Home: home, Version: build.Read().Version})
	defer client.Close()
	_, url, err := client.NewCode(ctx, root)
	return url, err
}
