package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

func newPublish(a *app) *cobra.Command {
	var to string
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "publish [CONNECTION] [DIR]",
		Short: "Make the design's changes in the database, after you approved them",
		Long: `Show what would change, try it, ask, and make it. The database is read again
before and after; afterwards it is what the design says, or what differs is
listed. An interrupted publish resumes where it stopped.

You approve with y or, where data is lost, by typing the database's name;
anything else changes nothing, and the exit code is 3. --yes does it for
scripts, and only where .berth/config.yaml says publish: {unattended: true} and
you trust it (berth trust), or your own config.yaml says so.

A design without a database (berth new) is published with --to, which names the
connection whose database gets its tables: they are taken into the design of
that connection first, where one undo takes them back.`,
		Example: `  berth publish
  berth publish main ./app --yes
  berth publish shop --to main`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && !yes {
				return usage(cmd, errNeedsYes)
			}
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				return a.publish(cmd.Context(), l, root, connection, to, yes, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the connection, for a design without a database")
	_ = cmd.RegisterFlagCompletionFunc("to", func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_, dir, _ := a.places(cmd, args)
		return a.connectionsOf(cmd.Context(), dir), cobra.ShellCompDirectiveNoFileComp
	}) // the flag is there
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask; needs publish.unattended in the project's config")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) publish(ctx context.Context, l *link, root, connection, to string, yes, asJSON bool) error {
	if to == "" {
		if err := a.needsTarget(ctx, l, root, connection); err != nil {
			return err
		}
	}
	answer, err := a.approver(l, root, yes)
	if err != nil {
		return err
	}
	if to != "" {
		r, err := a.design(ctx, l, root, designCall{operation: "publish", connection: connection, answer: answer,
			payload: map[string]any{"to": to}})
		if errors.Is(err, errDeclined) {
			return &failure{code: exitRefused, text: "you did not approve it: no database was changed",
				hint: "the tables are proposed in the design of " + to + " now; undo takes them back there"}
		}
		if err != nil {
			return err
		}
		return a.printPublished(r, asJSON)
	}
	list := a.printChanges
	if asJSON {
		list = a.changes
	}
	before, err := list(ctx, l, root, connection)
	if err != nil || before.Message == "no changes" && !asJSON {
		return err
	}
	if before.Message == "no changes" {
		return a.printReply(before)
	}
	r, err := a.design(ctx, l, root, designCall{operation: "publish", connection: connection, answer: answer,
		payload: map[string]any{"expectedVersion": before.Version}}) // what was just shown
	if err != nil {
		return err
	}
	return a.printPublished(r, asJSON)
}

// needsTarget refuses to publish a design without a database that was given no
// --to, before anybody is asked anything. The instance words it, with the
// connections there are.
func (a *app) needsTarget(ctx context.Context, l *link, root, connection string) error {
	s, err := a.settings(l.home, root)
	if err != nil || !slices.ContainsFunc(s.Connections, func(c settings.Connection) bool { return c.Design }) {
		return nil // the instance says what is wrong
	}
	r, err := a.design(ctx, l, root, designCall{operation: "get_metadata", connection: connection, options: map[string]any{"limit": 1}})
	if err != nil || r.Server != "design" {
		return err
	}
	_, err = a.design(ctx, l, root, designCall{operation: "publish", connection: connection})
	return err
}

// printPublished prints what a publish did and left; what was left is an error.
func (a *app) printPublished(r *designReply, asJSON bool) error {
	if asJSON {
		if err := a.printReply(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.sys.Stdout, printable(r.Message))
		for _, c := range r.Left {
			fmt.Fprintln(a.sys.Stdout, "left:", c)
		}
	}
	if len(r.Left)+len(r.Blocked) > 0 {
		return errSilent
	}
	return nil
}

// approver is how the question of an operation is answered: by a person at
// the terminal, or for scripts by the project's config.
func (a *app) approver(l *link, root string, yes bool) (func(json.RawMessage) (inputResponses, error), error) {
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	if yes {
		s, err := a.settings(l.home, root)
		if err != nil {
			return nil, err
		}
		if ask, waits := s.Waits("publish.unattended"); waits {
			return nil, &failure{code: exitRefused, text: "--yes waits for your trust: " + ask.Place() + " " + ask.Words,
				hint: "look at it and allow it with: " + settings.TrustCommand(root)}
		}
		if !s.Publish.Unattended {
			return nil, &failure{code: exitRefused, text: "--yes is not allowed for this project",
				hint: "a person has to say so in .berth/config.yaml: publish: {unattended: true}"}
		}
		return acceptAll, nil
	}
	if !person.present() {
		return nil, &failure{code: exitRefused, text: "a person has to approve this at a terminal",
			hint: "run it where you can type, or let the project's config allow --yes: publish: {unattended: true}"}
	}
	return person.answer, nil
}

// acceptAll accepts every question of the instance.
func acceptAll(requests json.RawMessage) (inputResponses, error) {
	return answerEach(requests, func(r inputRequest) inputResponse { return r.choose(choiceApprove) })
}
