package cli

import "github.com/spf13/cobra"

func newVerify(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [CONNECTION]",
		Short: "Try the design's changes on the database without leaving a trace",
		Long: `Run what berth publish would run, for real, where it leaves no trace: in a
transaction that is rolled back, or on a scratch copy. The first statement
that the database refuses is shown with the database's own reason.`,
		Example: `  berth verify
  berth verify main`,
		Args: upTo(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesign(func(l *link, root string) error {
				r, err := a.design(cmd.Context(), l, root, designCall{operation: "verify", connection: first(args)})
				if err == nil {
					a.printStanding(r)
				}
				return err
			})
		},
	}
}
