package cli

import "github.com/spf13/cobra"

func newVerify(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [CONNECTION] [DIR]",
		Short: "Try the design's changes on the database without leaving a trace",
		Long: `Run what berth publish would run, for real, where it leaves no trace: in a
transaction that is rolled back, or on a scratch copy. The first statement
that the database refuses is shown with the database's own reason.`,
		Example: `  berth verify
  berth verify main ./app`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				r, err := a.design(cmd.Context(), l, root, designCall{operation: "verify", connection: connection})
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.printReply(r)
				}
				a.printStanding(r)
				return nil
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
