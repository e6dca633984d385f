package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newRebase(a *app) *cobra.Command {
	var keep string
	var choose []string
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "rebase [CONNECTION] [DIR] --keep design|database",
		Short: "Join a design with a database that has changed in the same places",
		Long: `What changed in the database and not in the design is taken over by itself.
Where both have changed the same thing, berth diff lists the conflicts, and
you choose here: --keep for all of them, --choose CONFLICT=SIDE for one.

A publish that was interrupted and cannot resume is given up here: what it made
stays, the rest is planned again.`,
		Example: `  berth rebase --keep database
  berth rebase --keep design --choose 'dbo.orders/column total/type=database'`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && !yes {
				return usage(cmd, errNeedsYes)
			}
			choices, err := choicesOf(keep, choose)
			if err != nil {
				return err
			}
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				answer, err := a.approver(l, root, yes)
				if err != nil {
					return err
				}
				r, err := a.design(cmd.Context(), l, root, designCall{operation: "rebase", connection: connection,
					payload: map[string]any{"choices": choices}, answer: answer})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printReply(r)
				}
				if r.Message == "" {
					r.Message = "joined; the design is at version " + r.Version
				}
				fmt.Fprintln(a.sys.Stdout, printable(r.Message))
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "design or database, for every conflict not chosen otherwise")
	completeWith(cmd, "keep", "design", "database")
	cmd.Flags().StringArrayVar(&choose, "choose", nil, "CONFLICT=SIDE, as berth diff names it")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask; needs publish.unattended in the project's config")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func choicesOf(keep string, choose []string) ([]map[string]string, error) {
	choices := []map[string]string{}
	if keep != "" {
		choices = append(choices, map[string]string{"conflict": "*", "side": keep})
	}
	for _, c := range choose {
		at := strings.LastIndexByte(c, '=')
		if at < 0 {
			return nil, &failure{code: exitUsage, text: "--choose takes CONFLICT=SIDE, not " + quote(c)}
		}
		choices = append(choices, map[string]string{"conflict": c[:at], "side": c[at+1:]})
	}
	return choices, nil
}
